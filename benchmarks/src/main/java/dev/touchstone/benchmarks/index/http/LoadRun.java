package dev.touchstone.benchmarks.index.http;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Puts a server under load with threads of its own. */
final class LoadRun {
    private static final double NANOS = 1e9;

    private LoadRun() {}

    /**
     * Runs a plan.
     *
     * @param requests whole HTTP requests, sent in turn; each thread begins at another one
     * @throws IOException if the server is not there, does not answer, or closes a connection without saying so
     */
    static LoadResult run(LoadPlan plan, InetSocketAddress server, List<ByteBuffer> requests) throws IOException {
        ExecutorService threads = Executors.newFixedThreadPool(plan.threads());
        CountDownLatch start = new CountDownLatch(plan.threads());
        try {
            List<Future<LoadResult>> parts = new ArrayList<>();
            for (int i = 0; i < plan.threads(); i++) {
                int thread = i;
                parts.add(threads.submit(() -> thread(plan, thread, server, requests, start)));
            }
            LoadResult all = new LoadResult();
            double longest = 0;
            for (Future<LoadResult> part : parts) {
                LoadResult one = part.get();
                all.add(one);
                longest = Math.max(longest, one.seconds());
            }
            all.lasted(longest);
            return all;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } catch (ExecutionException e) {
            throw new IOException(String.valueOf(e.getCause()), e.getCause());
        } finally {
            threads.shutdownNow();
        }
    }

    private static LoadResult thread(
            LoadPlan plan, int thread, InetSocketAddress server, List<ByteBuffer> requests, CountDownLatch start)
            throws IOException, InterruptedException {
        int first = (int) ((long) requests.size() * thread / plan.threads());
        try (LoadLoop loop =
                new LoadLoop(server, plan.connections(thread), requests, first, plan.perSecond() / plan.threads())) {
            start.countDown();
            start.await();
            long warm = System.nanoTime() + plan.warmUp().toNanos();
            while (System.nanoTime() - warm < 0) {
                loop.next();
            }
            LoadResult result = new LoadResult();
            long begin = System.nanoTime();
            long end = begin + plan.duration().toNanos();
            long now;
            do {
                long nanos = loop.next();
                now = System.nanoTime();
                result.answered(nanos, loop.status(), loop.bodyBytes());
            } while (now - end < 0);
            result.lasted((now - begin) / NANOS);
            return result;
        } catch (IOException e) {
            while (start.getCount() > 0) {
                start.countDown(); // the others need not wait for this one
            }
            throw e;
        }
    }
}
