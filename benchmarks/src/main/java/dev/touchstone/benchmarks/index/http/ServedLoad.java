package dev.touchstone.benchmarks.index.http;

import dev.touchstone.benchmarks.SubjectWrappers;
import dev.touchstone.benchmarks.index.data.RequestBodies;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.Phaser;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A server with requests for it, and connections for threads that send them. Thread-safe. */
public final class ServedLoad implements Closeable {
    private static final int PATIENCE_SECONDS = 60;

    private final ServedSubject subject;
    private final ServerProcess server;
    private final List<ByteBuffer> requests;
    private final Phaser clients = new Phaser(1);

    private ServedLoad(ServedSubject subject, ServerProcess server, List<ByteBuffer> requests) {
        this.subject = subject;
        this.server = server;
        this.requests = requests;
    }

    /**
     * Starts a server.
     *
     * @param requests that differ
     * @param items searches in each
     * @param arePinned whether server and this JVM get processors of their own, where the machine can do that
     */
    public static ServedLoad start(ServedSubject subject, int requests, int items, boolean arePinned)
            throws IOException {
        List<byte[]> bodies = RequestBodies.of(subject.path(items > 1)).seed(requests, items);
        Processors processors = Processors.ofMachine(arePinned);
        processors.moveThis();
        ServerProcess server = ServerProcess.start(subject, items, processors);
        return new ServedLoad(subject, server, HttpRequests.posts(server.address(), subject.path(items > 1), bodies));
    }

    /** Returns the address of the server. */
    public InetSocketAddress address() {
        return server.address();
    }

    /** Connections for one of several threads. */
    public AnswerSource client(int connections, int thread, int threads) throws IOException {
        int first = (int) ((long) requests.size() * thread / threads);
        LoadLoop loop = new LoadLoop(server.address(), connections, requests, first, 0);
        clients.register();
        return SubjectWrappers.wrapped(subject.name(), AnswerSource.class, new Client(loop, clients));
    }

    /** Waits until all clients are closed, some of which may still wait for answers, and ends the server. */
    @Override
    public void close() throws IOException {
        try {
            clients.awaitAdvanceInterruptibly(clients.arrive(), PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (TimeoutException e) {
            // one of them has failed, of which its thread tells
        } finally {
            server.close();
        }
    }

    private static final class Client implements AnswerSource {
        private static final int OK = 200;

        private final LoadLoop loop;
        private final Phaser all;

        private Client(LoadLoop loop, Phaser all) {
            this.loop = loop;
            this.all = all;
        }

        @Override
        public long next() throws IOException {
            long nanos = loop.next();
            if (loop.status() != OK) {
                throw new IOException("not answered: status=" + loop.status());
            }
            return nanos;
        }

        @Override
        public void drain() throws IOException {
            loop.drain();
        }

        @Override
        public void close() throws IOException {
            all.arriveAndDeregister();
            loop.close();
        }
    }
}
