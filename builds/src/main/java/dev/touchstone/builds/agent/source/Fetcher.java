package dev.touchstone.builds.agent.source;

import dev.touchstone.builds.agent.process.StopSignal;
import dev.touchstone.builds.agent.process.StoppedException;
import dev.touchstone.builds.agent.source.name.RepositoryUrl;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.eclipse.jgit.lib.Repository;
import org.eclipse.jgit.transport.RefSpec;

/** Brings a mirror up to date: all branches and tags, those that are gone too. */
interface Fetcher {
    /** The mirror's references are the repository's, whatever they were. */
    List<RefSpec> SPECS = List.of(new RefSpec("+refs/heads/*:refs/heads/*"), new RefSpec("+refs/tags/*:refs/tags/*"));

    /** Fetches; returns the names of references that could not be brought up to date. */
    Set<String> fetch(Repository mirror, RepositoryUrl url, String mark, StopSignal stop)
            throws IOException, StoppedException;
}
