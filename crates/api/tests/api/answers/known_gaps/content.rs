//! Known gaps for spaces, collections, change requests, content and comments.

use super::Gap;

pub const UNANSWERED: &[Gap] = &[
    (
        "*",
        "Revision.git ListedRevision.git GitCommit.* ImportedCommit.*",
        "the examples are imported from no repository; tests of connections show them",
    ),
    (
        "createSpace duplicateSpace restoreSpace moveSpace transferSpace listSpacesInCollectionById",
        "Space.gitSync",
        "the space is not connected to a repository",
    ),
    ("*", "PageTag.* DocumentPage.tags", "pages have no tags, only updates"),
    ("*", "VisitorAuthIntegration.*", "the scripts of integrations aren't run"),
    (
        "*",
        "PageDifference.coarse RevisionSummary.partial BlockDifference.attributes BlockDifference.fragments BlockDifference.nodes BlockDifference.rows BlockDifference.words AttributeDifference.* TextDifference.* ChangeSummary.blocksEdited ChangeSummary.blocksMoved",
        "the examples differ in whole paragraphs; tests of differences show the rest",
    ),
    (
        "*",
        "MergeRuleRequireAllReviewsApproved.* MergeRuleRequireAtLeastOneApprovedReview.* MergeRuleRequireAuthorToMerge.* MergeRuleRequireChangeRequestDescription.* MergeRuleRequireChangeRequestSubject.* MergeRuleRequireOneOfSpecificReviewers.* MergeRuleRequireResolvedComments.* MergeRuleRequireUpToDateChangeRequest.*",
        "rules with the same keys count as the first of them",
    ),
    ("*", "DocumentProps.deprecated", "it is read and changes nothing"),
    ("*", "ComputedRevision.files ComputedRevision.reusableContents", "specifications have neither"),
    ("*", "TitleHit.ancestors", "the pages that are found are at the top; tests of searches show them"),
    (
        "*",
        "CommentAnchor.movedTo CommentMovedNode.*",
        "the nodes of the examples stay on their pages; tests of the targets of comments show moves",
    ),
    ("compareRevisions", "RevisionChanges.mergedFrom", "it is of a revision, not of what is between two"),
    (
        "searchSpaceContent",
        "SearchHit.ancestors SearchHit.description",
        "the page that is found has neither; tests of searches show them",
    ),
    (
        "createSpace duplicateSpace",
        "Space.changeRequests* Space.comments Space.visitorAuth",
        "a new space has no contributors, and no site shows it",
    ),
    (
        "createSpace duplicateSpace updateSpaceById moveSpace restoreSpace transferSpace listSpacesInCollectionById",
        "Space.deletedAt",
        "a deleted space is in the list of deleted ones only, and can only be got and restored",
    ),
    (
        "transferSpace",
        "Space.parent Space.visitorAuth",
        "a transferred space is at the root, and no site of the organization shows it",
    ),
    ("transferCollection", "Collection.parent", "a transferred collection is at the root"),
    ("createCollection", "Collection.description", "a new collection takes no description"),
    (
        "createChangeRequest",
        "ChangeRequest.comments ChangeRequest.outdated ChangeRequest.revisionMerged*",
        "a new change request has no contributors",
    ),
    (
        "listChangeRequestsFor* updateChangeRequestContent",
        "ChangeRequest.description ChangeRequest.mergeBlockedBy ChangeRequest.permissions",
        "only a change request that is asked for or changed alone has them",
    ),
    (
        "updateChangeRequestContent",
        "ChangeRequest.revisionMerged",
        "a merged change request isn't written any more",
    ),
    (
        "getChangeRequestChanges getRevisionOfChangeRequestById",
        "RevisionChanges.mergedFrom Revision.mergedFrom",
        "nothing is merged into a change request's own revisions",
    ),
    ("submitChangeRequestReview", "Review.outdated", "a new review is of the current revision"),
    (
        "postComment*",
        "Comment.editedAt Comment.reactions Comment.repl* CommentResolution.resolved* CommentReply.editedAt CommentReply.reactions",
        "a new comment has no reactions",
    ),
    ("uploadFilesTo*", "File.git", "an upload comes from no repository"),
    ("uploadFilesTo*", "FileList.next", "all files of an upload are answered at once"),
    (
        "importContent*",
        "Import.error Import.finishedAt Import.phase Import.result Import.startedAt",
        "an import that isn't waited for has yet to begin",
    ),
    (
        "importContent importContentInPageById",
        "Import.changeRequest",
        "what is imported doesn't go into a change request",
    ),
    ("importContent importContentInChangeRequest", "Import.page", "what is imported doesn't go into a page"),
    (
        "list*Backlinks",
        "CollectionLocation.* FileLocation.* OpenAPILocation.* ReusableContentLocation.* SpaceLocation.* UrlLocation.* UserLocation.*",
        "only pages lead to something",
    ),
    ("listSpace*Backlinks", "PageLocation.versionContext", "the current content is no version"),
];

pub const UNSENT: &[Gap] =
    &[("updateOrganizationById", "MergeRulesInherit.type", "an organization has nothing to inherit")];
