package dev.touchstone.index.hazelcast;

import com.hazelcast.map.IMap;
import dev.touchstone.index.InvalidValueException;
import dev.touchstone.index.Price;
import dev.touchstone.index.hazelcast.shard.OfferingShard;
import dev.touchstone.index.hazelcast.shard.ShardFormat;
import dev.touchstone.index.hazelcast.shard.ShardOrder;
import dev.touchstone.index.hazelcast.shard.ShardSchemas;
import dev.touchstone.index.hazelcast.shard.ShardUpdate;
import dev.touchstone.index.price.PriceBatch;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.LongAdder;

/**
 * The updates of a sharded index. Thread-safe.
 *
 * <p><b>Ordering.</b> An offering that has no shard yet gets its number before its prices are applied, in the order of the batch, and after all numbers of
 * updates that have returned before.
 */
final class ShardUpdates {
    private static final String COUNTER = "offerings";
    private static final int MAX_IN_FLIGHT = 256;
    private static final int CLOCK_SHIFT = 20; // a million offerings for each millisecond that a lost counter lived
    private static final byte[] NOTHING = {};

    private final ShardSchemas schemas;
    private final ShardFormat format;
    private final ShardRequests requests;
    private final IMap<String, OfferingShard> map;
    private final IMap<String, Long> counter;
    private final LongAdder applied = new LongAdder();

    ShardUpdates(
            ShardSchemas schemas,
            ShardFormat format,
            ShardRequests requests,
            IMap<String, OfferingShard> map,
            IMap<String, Long> counter) {
        this.schemas = schemas;
        this.format = format;
        this.requests = requests;
        this.map = map;
        this.counter = counter;
    }

    /** Returns the number of offerings whose changes were applied. */
    long applied() {
        return applied.sum();
    }

    /** Applies a batch; see {@link ShardedPriceIndex#update}. */
    Map<String, Long> apply(PriceBatch batch) throws ShardUpdateException {
        format.schema().after(batch); // throws if no offering can have one of the prices
        Outcome outcome = new Outcome(encoded(batch), UUID.randomUUID());
        outcome.send(List.copyOf(outcome.contents.keySet()), ShardUpdate.NO_ORDER);
        List<String> unordered = List.copyOf(outcome.unordered);
        if (!unordered.isEmpty()) {
            outcome.unordered.clear();
            outcome.sendOrdered(unordered);
        }
        applied.add(outcome.versions.size());
        return outcome.result();
    }

    /** Returns the encoded changes by offering, in the order of the batch. */
    private Map<String, byte[]> encoded(PriceBatch batch) {
        Map<String, PriceBatch> parts = new LinkedHashMap<>();
        batch.visit(new PriceBatch.Visitor() {
            @Override
            public void put(Price price) {
                part(price.offering()).put(price);
            }

            @Override
            public void remove(String offering, String id) {
                part(offering).remove(offering, id);
            }

            private PriceBatch part(String offering) {
                return parts.computeIfAbsent(offering, key -> new PriceBatch());
            }
        });
        Map<String, byte[]> contents = new LinkedHashMap<>();
        long version = format.schema().version() + 1;
        parts.forEach(
                (offering, part) -> contents.put(offering, format.batches().encode(version, part)));
        return contents;
    }

    /** The outcome of one update, offering by offering. Used by one thread. */
    private final class Outcome {
        final Map<String, byte[]> contents;
        final Map<String, Long> versions = new LinkedHashMap<>();
        final List<String> unordered = new ArrayList<>(); // offerings without a shard, whose changes wait for a number
        private final Map<String, Exception> failures = new LinkedHashMap<>();
        private final UUID id;

        Outcome(Map<String, byte[]> contents, UUID id) {
            this.contents = contents;
            this.id = id;
        }

        /**
         * Sends the changes of some offerings, and waits for the answers.
         *
         * @param firstOrder number of the first offering, from which the others count on; or {@link ShardUpdate#NO_ORDER} for all of them
         */
        void send(List<String> offerings, long firstOrder) {
            Deque<Runnable> inFlight = new ArrayDeque<>();
            long order = firstOrder;
            for (String offering : offerings) {
                if (inFlight.size() == MAX_IN_FLIGHT) {
                    inFlight.remove().run();
                }
                byte[] content = contents.getOrDefault(offering, NOTHING);
                CompletableFuture<Object> answer =
                        requests.submit(map, offering, new ShardUpdate(schemas, format.name(), id, order, content));
                inFlight.add(() -> receive(offering, answer));
                order += order == ShardUpdate.NO_ORDER ? 0 : 1;
            }
            inFlight.forEach(Runnable::run);
        }

        /** Sends the changes of offerings that have no shard yet, with numbers for them. */
        void sendOrdered(List<String> offerings) {
            long first;
            try {
                long floor = System.currentTimeMillis() << CLOCK_SHIFT;
                first = ShardRequests.await(requests.submit(counter, COUNTER, new ShardOrder(offerings.size(), floor)));
            } catch (RuntimeException e) {
                offerings.forEach(offering -> failures.put(
                        offering, new ReplicaUnavailableException("no number for a new offering: " + e, e)));
                return;
            }
            send(offerings, first);
        }

        private void receive(String offering, CompletableFuture<Object> answer) {
            try {
                Object found = ShardRequests.await(answer);
                if (ShardUpdate.NEEDS_ORDER.equals(found)) {
                    unordered.add(offering);
                } else if (found instanceof Long version) {
                    versions.put(offering, version);
                } else {
                    failures.put(
                            offering,
                            new InvalidValueException("changes were refused: index=" + format.name() + " offering="
                                    + InvalidValueException.shown(offering) + ": " + found));
                }
            } catch (RuntimeException e) {
                failures.put(
                        offering,
                        new UnknownOutcomeException(
                                "not known whether changes were applied: index=" + format.name() + " offering="
                                        + InvalidValueException.shown(offering) + ": " + e,
                                e));
            }
            if (format.isNearCached()) {
                forget(offering);
            }
        }

        /**
         * Removes an offering from the near cache of this member or client. Hazelcast did so when the update was sent; a search may have brought the old
         * prices back before the update ran. The same update once more changes nothing.
         */
        private void forget(String offering) {
            CompletableFuture<Object> unused = requests.submit(
                    map, offering, new ShardUpdate(schemas, format.name(), id, ShardUpdate.NO_ORDER, NOTHING));
        }

        Map<String, Long> result() throws ShardUpdateException {
            if (failures.isEmpty()) {
                return versions;
            }
            Map.Entry<String, Exception> first = failures.entrySet().iterator().next();
            throw new ShardUpdateException(
                    "update has failed: index=" + format.name() + " offerings applied=" + versions.size() + " failed="
                            + failures.size() + " first=" + InvalidValueException.shown(first.getKey()) + ": "
                            + first.getValue().getMessage(),
                    versions,
                    failures);
        }
    }
}
