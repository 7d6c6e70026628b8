package dev.touchstone.index.hazelcast;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.touchstone.index.InvalidValueException;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The updates of one member whose outcome is not known yet. Thread-safe.
 *
 * <p><b>Invariants.</b> An update ends with a version when both is known: that its entry is in the log and as many replicas as the cluster needs have applied it, and
 * which version its own replica has made of it. The version is forgotten when the replica loads other prices: an entry that was lost with the member that held it, and was written again, makes a
 * later one.
 */
final class PendingUpdates {
    private final Map<UUID, Update> updates = new ConcurrentHashMap<>();

    /** An update of this member. */
    private static final class Update {
        private final UUID epoch; // of the entry
        private final CompletableFuture<Long> outcome = new CompletableFuture<>();

        @GuardedBy("this")
        private @Nullable Long version;

        @GuardedBy("this")
        private boolean isWritten;

        private volatile boolean isUnsure; // whether the entry may be in the log though its request has failed

        Update(UUID epoch) {
            this.epoch = epoch;
        }

        synchronized void written() {
            isWritten = true;
            end();
        }

        synchronized void applied(@Nullable Long as) {
            version = as;
            end();
        }

        @GuardedBy("this")
        private void end() {
            if (isWritten && version != null) {
                outcome.complete(version);
            }
        }

        @Override
        public synchronized String toString() {
            return "written=" + isWritten + " version=" + version;
        }
    }

    /** Adds an update. Returns its version, or the reason why it has none. */
    CompletableFuture<Long> add(LogEntry entry) {
        Update update = new Update(entry.epoch());
        updates.put(entry.id(), update);
        return update.outcome;
    }

    /** Forgets an update that has ended. Returns what was known of it, for people. */
    String forget(UUID id) {
        return String.valueOf(updates.remove(id));
    }

    /** Notes that the entry of an update is in the log, and that enough replicas have applied it. */
    void written(UUID id) {
        Update update = updates.get(id);
        if (update != null) {
            update.written();
        }
    }

    /** Notes that the entry of an update may be in the log, and is written once more. */
    void unsure(UUID id) {
        Update update = updates.get(id);
        if (update != null) {
            update.isUnsure = true;
        }
    }

    /** Ends an update whose entry was not written, or is of no effect; with an unknown outcome if it was written before, perhaps. */
    void refused(UUID id, String reason, @Nullable Throwable cause) {
        Update update = updates.get(id);
        if (update != null) {
            update.outcome.completeExceptionally(
                    update.isUnsure
                            ? new UnknownOutcomeException(reason, cause)
                            : new ReplicaUnavailableException(reason, cause));
        }
    }

    /** Notes what the replica has made of the entry of an update. */
    void applied(UUID id, Replica.Outcome outcome) {
        Update update = updates.get(id);
        if (update == null) {
            return;
        }
        if (outcome.refusal() == null) {
            update.applied(outcome.version());
        } else {
            update.outcome.completeExceptionally(outcome.refusal());
        }
    }

    /**
     * Notes that the replica is live in an epoch, with prices that have the changes of some entries. Entries of other epochs have no effect any more.
     *
     * @param recent last entries that the prices have, of this epoch and of those before
     * @param isAll whether there are no others that an update which has not ended could have
     */
    void live(UUID epoch, RecentEntries recent, boolean isAll) {
        updates.forEach((id, update) -> {
            Long version = recent.version(id);
            if (version == null && !update.epoch.equals(epoch)) {
                String reason = "another epoch has begun: epoch=" + epoch;
                update.outcome.completeExceptionally(
                        isAll
                                ? new ReplicaUnavailableException(reason, null)
                                : new UnknownOutcomeException(reason, null));
            } else if (version != null && version == RecentEntries.REFUSED) {
                update.outcome.completeExceptionally(
                        new InvalidValueException("index of another member has refused the batch: id=" + id));
            } else {
                update.applied(version);
            }
            if (version != null && !update.epoch.equals(epoch)) {
                update.written(); // an epoch has all that the prices of its leader had
            }
        });
    }

    /** Ends all updates. */
    void failAll(String reason) {
        updates.values().forEach(each -> each.outcome.completeExceptionally(new UnknownOutcomeException(reason, null)));
    }
}
