package dev.touchstone.messaging.report;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.touchstone.messaging.stats.ConnectionEnd;
import dev.touchstone.messaging.stats.ConnectionStats;
import dev.touchstone.messaging.stats.EndKind;
import dev.touchstone.messaging.stats.Traffic;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A node's connections that have ended: the latest one by one, all of them as counts and sums. Thread-safe. */
public final class ConnectionLedger {
    /*
     * Who calls:      the thread that ends a connection; any thread that reads.
     * Invariants:     the traffic of a connection is in `past` or in the live connections' figures, never in both: a connection leaves the live
     *                 ones inside `end`.
     */
    /** Most ends that are kept one by one. */
    public static final int MAX_RECENT = 64;

    @GuardedBy("this")
    private final ArrayDeque<ConnectionEnd> recent = new ArrayDeque<>();

    @GuardedBy("this")
    private final Map<EndKind, Long> counts = new EnumMap<>(EndKind.class);

    @GuardedBy("this")
    private Traffic past = Traffic.NONE;

    /**
     * A reading of the ledger together with the live connections.
     *
     * @param live figures of the live connections
     * @param recent latest ends, oldest first
     * @param counts number of ends of each kind; kinds without any are missing
     * @param total traffic of all connections, live and ended
     */
    public record Reading(
            List<ConnectionStats> live, List<ConnectionEnd> recent, Map<EndKind, Long> counts, Traffic total) {}

    /**
     * Records an end, if the connection was in use until now.
     *
     * @param remover takes the connection out of use; returns whether it was in use
     * @param describer gives the end, with the figures of the connection as they are then
     * @return the end, or null if the connection was not in use
     */
    public synchronized @Nullable ConnectionEnd end(BooleanSupplier remover, Supplier<ConnectionEnd> describer) {
        if (!remover.getAsBoolean()) {
            return null;
        }
        ConnectionEnd end = describer.get();
        if (recent.size() == MAX_RECENT) {
            recent.removeFirst();
        }
        recent.add(end);
        counts.merge(end.kind(), 1L, Long::sum);
        past = past.plus(end.connection().traffic());
        return end;
    }

    /**
     * Reads the ledger and the live connections at the same moment.
     *
     * @param live gives the figures of the live connections
     * @return the reading
     */
    public synchronized Reading read(Supplier<Collection<ConnectionStats>> live) {
        List<ConnectionStats> now = new ArrayList<>(live.get());
        Traffic total = past;
        for (ConnectionStats connection : now) {
            total = total.plus(connection.traffic());
        }
        return new Reading(List.copyOf(now), List.copyOf(recent), Map.copyOf(counts), total);
    }
}
