package dev.touchstone.builds.agent.source;

import dev.touchstone.builds.agent.process.StopSignal;
import dev.touchstone.builds.agent.process.StoppedException;
import dev.touchstone.builds.agent.source.name.RepositoryUrl;
import java.io.IOException;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.eclipse.jgit.lib.RefUpdate;
import org.eclipse.jgit.lib.Repository;
import org.eclipse.jgit.transport.FetchResult;
import org.eclipse.jgit.transport.TagOpt;
import org.eclipse.jgit.transport.TrackingRefUpdate;
import org.eclipse.jgit.transport.Transport;
import org.eclipse.jgit.transport.URIish;

/** Fetches in this process. */
final class JGitFetcher implements Fetchers.Fetcher {
    private static final long LOOK_MILLIS = 20;
    private static final Set<RefUpdate.Result> GOOD = EnumSet.of(
            RefUpdate.Result.NEW,
            RefUpdate.Result.NO_CHANGE,
            RefUpdate.Result.FAST_FORWARD,
            RefUpdate.Result.FORCED,
            RefUpdate.Result.RENAMED);

    private final int idleSeconds;

    /**
     * Makes a fetcher.
     *
     * @param idle silence after which a repository is given up
     */
    JGitFetcher(Duration idle) {
        idleSeconds = (int) Math.max(1, Math.min(idle.toSeconds(), Integer.MAX_VALUE / 1_000));
    }

    @Override
    public Set<String> fetch(Repository mirror, RepositoryUrl url, String mark, StopSignal stop)
            throws IOException, StoppedException {
        if (url.isLocal()) {
            return fetch(mirror, url, stop);
        }
        return apart(new FutureTask<>(() -> fetch(mirror, url, stop)), stop);
    }

    /** Fetches on a thread of its own, since a read from the network cannot be broken off; it ends by itself when the idle time is over. */
    private static Set<String> apart(FutureTask<Set<String>> fetch, StopSignal stop)
            throws IOException, StoppedException {
        Thread thread = new Thread(fetch, "builds-fetch");
        thread.setDaemon(true);
        thread.start();
        while (true) {
            stop.check();
            try {
                return fetch.get(LOOK_MILLIS, TimeUnit.MILLISECONDS);
            } catch (TimeoutException e) {
                // look whether to go on
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                stop.stop(StopSignal.Cause.AGENT_CLOSED, "interrupted");
            } catch (ExecutionException e) {
                throw e.getCause() instanceof IOException io ? io : new IOException(e.getCause());
            }
        }
    }

    private Set<String> fetch(Repository mirror, RepositoryUrl url, StopSignal stop) throws IOException {
        try (Transport transport = open(mirror, url)) {
            transport.setTagOpt(TagOpt.NO_TAGS);
            transport.setRemoveDeletedRefs(true);
            transport.setTimeout(idleSeconds);
            return failed(transport.fetch(new StopMonitor(stop), SPECS));
        } catch (URISyntaxException e) {
            throw new IOException("repository=" + url + " is not a URL for JGit", e);
        }
    }

    private static Transport open(Repository mirror, RepositoryUrl url) throws IOException, URISyntaxException {
        URIish uri = new URIish(url.text());
        return url.isLocal() ? LocalTransport.of(mirror, uri) : Transport.open(mirror, uri);
    }

    private static Set<String> failed(FetchResult result) {
        Set<String> failed = new TreeSet<>();
        for (TrackingRefUpdate update : result.getTrackingRefUpdates()) {
            if (!GOOD.contains(update.getResult())) {
                failed.add(update.getLocalName());
            }
        }
        return failed;
    }
}
