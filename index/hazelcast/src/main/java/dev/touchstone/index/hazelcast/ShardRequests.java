package dev.touchstone.index.hazelcast;

import com.hazelcast.core.HazelcastException;
import com.hazelcast.core.IndeterminateOperationStateException;
import com.hazelcast.map.EntryProcessor;
import com.hazelcast.map.IMap;
import com.hazelcast.query.QueryException;
import com.hazelcast.spi.exception.RetryableException;
import com.hazelcast.spi.exception.TargetDisconnectedException;
import com.hazelcast.splitbrainprotection.SplitBrainProtectionException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;

/**
 * The requests of a sharded index to its map. Sends a request again when a member has left or a connection was lost, where Hazelcast itself does not know
 * that it may: a search changes nothing, and a shard knows the ids of its last updates. Thread-safe.
 */
final class ShardRequests {
    private static final int MAX_ATTEMPTS = 20;
    private static final long PAUSE_MILLIS = 100;

    private final LongAdder retries = new LongAdder();
    private final LongAdder failures = new LongAdder();

    long retries() {
        return retries.sum();
    }

    long failures() {
        return failures.sum();
    }

    /** Runs a processor on the entry of a key. The result completes on a thread of Hazelcast, without one of its own for each. */
    <V, R> CompletableFuture<R> submit(IMap<String, V> map, String key, EntryProcessor<String, V, R> processor) {
        CompletableFuture<R> outcome = new CompletableFuture<>();
        attempt(map, key, processor, outcome, 1);
        return outcome;
    }

    private <V, R> void attempt(
            IMap<String, V> map,
            String key,
            EntryProcessor<String, V, R> processor,
            CompletableFuture<R> outcome,
            int attempt) {
        try {
            map.submitToKey(key, processor)
                    .whenCompleteAsync(
                            (answer, failure) -> {
                                if (failure == null) {
                                    outcome.complete(answer);
                                } else if (attempt < MAX_ATTEMPTS && mayPass(failure)) {
                                    retries.increment();
                                    CompletableFuture.delayedExecutor(
                                                    PAUSE_MILLIS, TimeUnit.MILLISECONDS, Runnable::run)
                                            .execute(() -> attempt(map, key, processor, outcome, attempt + 1));
                                } else {
                                    fail(outcome, failure);
                                }
                            },
                            Runnable::run);
        } catch (RuntimeException e) {
            fail(outcome, e);
        }
    }

    private void fail(CompletableFuture<?> outcome, Throwable failure) {
        failures.increment();
        outcome.completeExceptionally(failure);
    }

    /** Runs a search that waits for its answer. */
    <T> T call(Supplier<T> search) {
        requireNotInterrupted();
        for (int attempt = 1; ; attempt++) {
            try {
                return search.get();
            } catch (RuntimeException e) {
                requireNotInterrupted();
                if (attempt == MAX_ATTEMPTS || !(mayPass(e) || e instanceof QueryException)) {
                    failures.increment();
                    throw e;
                }
                retries.increment();
                pause();
            }
        }
    }

    private static void pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
        } catch (InterruptedException e) {
            throw interrupted();
        }
    }

    /** Returns whether a request may succeed when it is sent again. */
    private static boolean mayPass(Throwable failure) {
        for (Throwable at = failure; at != null; at = at.getCause()) {
            if (at instanceof RetryableException
                    || at instanceof TargetDisconnectedException
                    || at instanceof IndeterminateOperationStateException) {
                return true;
            }
        }
        return false;
    }

    /** Returns whether a request was refused because the cluster has too few members for writes. */
    static boolean isProtected(Throwable failure) {
        return failure instanceof SplitBrainProtectionException
                || failure.getCause() instanceof SplitBrainProtectionException;
    }

    /** Waits for an outcome; throws the failure in place of an exception that wraps it. */
    static <T> T await(CompletableFuture<T> outcome) {
        requireNotInterrupted(); // also if the outcome is there already
        try {
            return outcome.get();
        } catch (InterruptedException e) {
            throw interrupted();
        } catch (ExecutionException e) {
            Throwable cause = e.getCause();
            if (cause instanceof RuntimeException failure) {
                throw failure;
            }
            if (cause instanceof Error error) {
                throw error;
            }
            throw new HazelcastException("request failed: " + cause, e);
        }
    }

    private static void requireNotInterrupted() {
        if (Thread.currentThread().isInterrupted()) {
            throw interrupted();
        }
    }

    private static CancellationException interrupted() {
        Thread.currentThread().interrupt();
        return new CancellationException("interrupted while waiting for the cluster");
    }
}
