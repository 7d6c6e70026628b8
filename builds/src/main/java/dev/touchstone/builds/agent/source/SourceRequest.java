package dev.touchstone.builds.agent.source;

import dev.touchstone.builds.agent.source.name.BranchName;
import dev.touchstone.builds.agent.source.name.CommitId;
import dev.touchstone.builds.agent.source.name.RepositoryUrl;
import java.util.Optional;

/**
 * A tree that is asked for.
 *
 * @param commit one of the repository's, in place of the branch's newest
 * @param accepted {@link Sources#accept} when it was known that there is the job: the tree is at least as new as that
 * @param mark of the job, for the processes that git may need
 */
public record SourceRequest(
        RepositoryUrl repository, BranchName branch, Optional<CommitId> commit, long accepted, String mark) {

    /** Returns a key that is the same for requests that share a workspace, which one build has at a time. */
    public String workspaceKey() {
        return repository.folder() + "/" + branch.folder();
    }
}
