//! Instruction files for AI agents that edit a repository.

use quire_domain::git_installations::GitAgent;

/// Text of the files.
pub(super) const TEXT: &str = include_str!("instructions.md");

/// Returns the path of an agent's instruction file below the synchronized folder.
pub(super) fn file_of(agent: GitAgent) -> &'static str {
    match agent {
        GitAgent::Agents => "AGENTS.md",
        GitAgent::Claude => "CLAUDE.md",
    }
}

/// Returns whether a path below the synchronized folder is an instruction file, which is not a page.
pub(super) fn has(agents: &[GitAgent], path: &str) -> bool {
    agents.iter().any(|agent| file_of(*agent) == path)
}
