package dev.touchstone.messaging.epmd;

import java.security.SecureRandom;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The nodes that are registered, in the order in which they were. For one thread. */
final class EpmdRegistry {
    private static final int SMALLEST_CREATION = 4; // those below are left to the nodes of old
    private static final int OLD_CREATIONS = 3;

    private final Map<String, EpmdNode> nodes = new LinkedHashMap<>();
    private int lastCreation;

    /**
     * An empty one.
     *
     * @param random so that a node that registers again after a restart of EPMD gets another creation
     */
    EpmdRegistry(SecureRandom random) {
        this.lastCreation = random.nextInt();
    }

    /** False where a node of that name is registered. */
    boolean register(EpmdNode node) {
        return nodes.putIfAbsent(node.name(), node) == null;
    }

    void unregister(EpmdNode node) {
        nodes.remove(node.name());
    }

    @Nullable
    EpmdNode lookup(String name) {
        return nodes.get(name);
    }

    Collection<EpmdNode> nodes() {
        return nodes.values();
    }

    /** The next creation, of the size that nodes of this version know; never 0. */
    int nextCreation(int highVersion) {
        lastCreation++;
        if (highVersion < EpmdNode.VERSION) {
            return 1 + Integer.remainderUnsigned(lastCreation, OLD_CREATIONS);
        }
        if (Integer.compareUnsigned(lastCreation, SMALLEST_CREATION) < 0) {
            lastCreation = SMALLEST_CREATION;
        }
        return lastCreation;
    }
}
