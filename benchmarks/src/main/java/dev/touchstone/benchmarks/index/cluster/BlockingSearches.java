package dev.touchstone.benchmarks.index.cluster;

import dev.touchstone.benchmarks.index.peer.SearchRequest;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/** Threads that search at the same time, for subjects whose searches block. Each thread has its share of the requests from the start. */
final class BlockingSearches implements Closeable {
    private @Nullable ExecutorService pool;

    /** A search that blocks until it has the answer; for any thread. */
    @FunctionalInterface
    interface Search {
        long search(SearchRequest request) throws IOException;
    }

    /** Searches for several requests, by a number of threads. */
    void run(Search search, List<SearchRequest> requests, int threads, long[] answers) throws IOException {
        List<Callable<Boolean>> shares = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            int first = i;
            shares.add(() -> {
                for (int at = first; at < answers.length; at += threads) {
                    answers[at] = search.search(requests.get(at));
                }
                return true;
            });
        }
        try {
            for (Future<Boolean> share : pool().invokeAll(shares)) {
                boolean unused = share.get();
            }
        } catch (ExecutionException e) {
            throw new IOException("a search failed", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    private ExecutorService pool() {
        ExecutorService made = pool;
        if (made == null) {
            made = Executors.newCachedThreadPool(task -> {
                Thread thread = new Thread(task, "blocking-search");
                thread.setDaemon(true);
                return thread;
            });
            pool = made;
        }
        return made;
    }

    @Override
    public void close() {
        if (pool != null) {
            pool.shutdownNow();
        }
    }
}
