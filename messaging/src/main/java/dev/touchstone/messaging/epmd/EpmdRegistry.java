package dev.touchstone.messaging.epmd;

import java.security.SecureRandom;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The registered nodes, in the order of their registration. Confined to one thread. */
final class EpmdRegistry {
    private static final int SMALLEST_CREATION = 4; // smaller ones are for nodes of older versions
    private static final int OLD_CREATIONS = 3;

    private final Map<String, EpmdNode> nodes = new LinkedHashMap<>();
    private int lastCreation;

    /**
     * Makes an empty registry.
     *
     * @param random source of the first creation, so that a node that registers again after a restart of EPMD gets another one
     */
    EpmdRegistry(SecureRandom random) {
        this.lastCreation = random.nextInt();
    }

    /** Registers a node. Returns false where a node of that name is registered. */
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

    /** Returns the next creation, never 0, of the size that nodes of this version know. */
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
