package dev.touchstone.builds.agent.source;

import dev.touchstone.builds.agent.process.StopSignal;
import dev.touchstone.builds.agent.process.StoppedException;
import dev.touchstone.builds.agent.source.name.RepositoryUrl;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.eclipse.jgit.lib.Repository;

/** Fetches with the git command. */
final class CommandFetcher implements Fetchers.Fetcher {
    /** Words of git's when the repository's side fails. */
    private static final Pattern REMOTES = Pattern.compile(
            "Could not read from remote|does not appear to be a git repository"
                    + "|Could not resolve host|Authentication failed|could not read Username|unable to access|Permission denied");

    private final GitCommand git;

    CommandFetcher(GitCommand git) {
        this.git = git;
    }

    @Override
    public Set<String> fetch(Repository mirror, RepositoryUrl url, String mark, StopSignal stop)
            throws IOException, StoppedException {
        List<String> arguments = new ArrayList<>(List.of(
                "fetch", "--quiet", "--prune", "--force", "--no-tags", "--no-recurse-submodules", "--", url.text()));
        SPECS.forEach(spec -> arguments.add(spec.toString()));
        try {
            git.run(new GitCommand.Place(mirror.getDirectory().toPath(), null, null), arguments, mark, stop);
        } catch (SourceException e) {
            if (e.step() == SourceException.Step.PULL
                    && !REMOTES.matcher(String.valueOf(e.getMessage())).find()) {
                throw new IOException(e.getMessage(), e); // the mirror may be the reason
            }
            throw e;
        }
        return Set.of();
    }
}
