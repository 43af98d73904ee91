/** Returns the change of a page or a reusable content to a title and a document. An empty title is left as it is. */
export const updateOf = (id, title, document, isReusable) => ({
  ...(isReusable ? { operation: "update_reusable_content", reusableContent: id } : { operation: "update_page", page: id }),
  ...(title ? { title } : {}),
  document: { document },
});
