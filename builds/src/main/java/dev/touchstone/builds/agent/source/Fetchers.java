package dev.touchstone.builds.agent.source;

import dev.touchstone.builds.agent.process.StopSignal;
import dev.touchstone.builds.agent.process.StoppedException;
import dev.touchstone.builds.agent.source.name.RepositoryUrl;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.eclipse.jgit.lib.Repository;
import org.eclipse.jgit.transport.RefSpec;

/** Chooses who fetches: JGit, or the git command where JGit lacks the transport or the credentials. */
final class Fetchers {
    /** Brings a mirror up to date: all branches and tags, those that are gone too. */
    interface Fetcher {
        /** The mirror's references are the repository's, whatever they were. */
        List<RefSpec> SPECS =
                List.of(new RefSpec("+refs/heads/*:refs/heads/*"), new RefSpec("+refs/tags/*:refs/tags/*"));

        /** Fetches; returns the names of references that could not be brought up to date. */
        Set<String> fetch(Repository mirror, RepositoryUrl url, String mark, StopSignal stop)
                throws IOException, StoppedException;
    }

    private final Fetcher own;
    private final Fetcher command;
    private final Set<String> commandSchemes;

    Fetchers(Fetcher own, Fetcher command, Set<String> commandSchemes) {
        this.own = own;
        this.command = command;
        this.commandSchemes = commandSchemes;
    }

    /**
     * Fetches; a failure that is the repository's is a {@link SourceException}, any other may be the mirror's.
     *
     * @return references that could not be brought up to date
     */
    Set<String> fetch(Repository mirror, RepositoryUrl url, String mark, StopSignal stop)
            throws IOException, StoppedException {
        if (commandSchemes.contains(url.scheme())) {
            return command.fetch(mirror, url, mark, stop);
        }
        try {
            return own.fetch(mirror, url, mark, stop);
        } catch (IOException e) {
            stop.check();
            if (Faults.isFull(e, mirror.getDirectory().toPath())) {
                throw new SourceException(
                        SourceException.Step.NO_SPACE, "no space for the mirror of repository=" + url, e);
            }
            if (Faults.isRefusal(e) && !url.isLocal()) {
                return command.fetch(mirror, url, mark, stop);
            }
            if (Faults.isRemotes(e)) {
                throw new SourceException(
                        SourceException.Step.PULL, "repository=" + url + " does not answer: " + e.getMessage(), e);
            }
            throw e;
        }
    }
}
