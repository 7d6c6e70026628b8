package dev.touchstone.builds.agent.source;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import org.eclipse.jgit.errors.NotSupportedException;
import org.eclipse.jgit.errors.TransportException;
import org.eclipse.jgit.lib.Repository;
import org.eclipse.jgit.lib.RepositoryBuilder;
import org.eclipse.jgit.lib.RepositoryCache;
import org.eclipse.jgit.transport.BasePackFetchConnection;
import org.eclipse.jgit.transport.FetchConnection;
import org.eclipse.jgit.transport.PackTransport;
import org.eclipse.jgit.transport.PushConnection;
import org.eclipse.jgit.transport.Transport;
import org.eclipse.jgit.transport.URIish;
import org.eclipse.jgit.transport.UploadPack;
import org.eclipse.jgit.util.FS;

/**
 * Fetches from a repository on this machine, whose side runs on a thread of its own. JGit's own transport prints a stack trace wherever a fetch is
 * broken off.
 */
final class LocalTransport extends Transport implements PackTransport {
    private final File source;

    private LocalTransport(Repository mirror, URIish uri, File source) {
        super(mirror, uri);
        this.source = source;
    }

    /** Returns this transport where there is a repository in a folder, and else JGit's for whatever is there. */
    static Transport of(Repository mirror, URIish uri) throws IOException {
        File source = RepositoryCache.FileKey.resolve(new File(uri.getPath()), FS.DETECTED);
        return source == null ? Transport.open(mirror, uri) : new LocalTransport(mirror, uri, source);
    }

    @Override
    public FetchConnection openFetch() throws TransportException {
        try {
            return new Connection(
                    this, new RepositoryBuilder().setGitDir(source).build());
        } catch (TransportException e) {
            throw e;
        } catch (IOException e) {
            throw new TransportException(getURI(), "cannot be opened: " + e.getMessage(), e);
        }
    }

    @Override
    public PushConnection openPush() throws NotSupportedException {
        throw new NotSupportedException("nothing is pushed");
    }

    @Override
    public void close() {
        // a connection closes what it has opened
    }

    /** Both sides of a fetch. */
    private static final class Connection extends BasePackFetchConnection {
        private final Thread thread;

        Connection(LocalTransport transport, Repository repository) throws IOException {
            super(transport);
            PipedInputStream ours = new PipedInputStream(MIN_CLIENT_BUFFER);
            PipedInputStream theirs = new PipedInputStream(MIN_CLIENT_BUFFER); // or each side waits for the other
            PipedOutputStream toUs = new PipedOutputStream(ours);
            PipedOutputStream toThem = new PipedOutputStream(theirs);
            thread = new Thread(() -> serve(repository, theirs, toUs), "builds-upload-pack");
            thread.setDaemon(true);
            thread.start();
            init(ours, toThem);
            readAdvertisedRefs();
        }

        /** Serves the repository's side. What fails here shows on the other side as the end of the stream; if that side ended first, nothing has failed. */
        private static void serve(Repository repository, InputStream in, OutputStream out) {
            try (Repository open = repository;
                    InputStream request = in;
                    OutputStream answer = out) {
                new UploadPack(open).uploadWithExceptionPropagation(request, answer, null);
            } catch (IOException | RuntimeException e) {
                System.getLogger(LocalTransport.class.getName())
                        .log(System.Logger.Level.DEBUG, "fetch from " + repository + " has ended early", e);
            }
        }

        @Override
        public void close() {
            super.close();
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
