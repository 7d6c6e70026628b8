package dev.touchstone.benchmarks.index.http;

import java.time.Duration;

/**
 * A plan of the load on a server. Immutable.
 *
 * @param connections of all threads together
 * @param warmUp before the time that counts
 * @param duration of the time that counts
 * @param perSecond requests of all threads together; 0 is as fast as answers come
 */
record LoadPlan(int threads, int connections, Duration warmUp, Duration duration, double perSecond) {
    LoadPlan {
        if (threads < 1 || connections < threads || warmUp.isNegative() || duration.isNegative() || duration.isZero()) {
            throw new IllegalArgumentException("threads=" + threads + " connections=" + connections + " warmUp="
                    + warmUp + " duration=" + duration);
        }
        if (!(perSecond >= 0) || Double.isInfinite(perSecond)) {
            throw new IllegalArgumentException("perSecond=" + perSecond);
        }
    }

    /** Connections of one of the threads. */
    int connections(int thread) {
        return connections / threads + (thread < connections % threads ? 1 : 0);
    }
}
