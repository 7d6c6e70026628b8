package dev.touchstone.benchmarks.serialization.cluster;

import java.util.ArrayList;
import java.util.List;

/** The JVM flags that Hazelcast's documentation asks for: without them it works, but reads its selectors and counters by other ways. */
public final class HazelcastFlags {
    public static final String MODULES = "--add-modules=java.se";
    public static final String REF = "--add-exports=java.base/jdk.internal.ref=ALL-UNNAMED";
    public static final String LANG = "--add-opens=java.base/java.lang=ALL-UNNAMED";
    public static final String SELECTORS = "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED";
    public static final String MANAGEMENT = "--add-opens=java.management/sun.management=ALL-UNNAMED";
    public static final String SYSTEM = "--add-opens=jdk.management/com.sun.management.internal=ALL-UNNAMED";

    /** The first JDK that warns of operations of Hazelcast. */
    private static final int FEATURE_THAT_WARNS = 24;

    private HazelcastFlags() {}

    /** All of them for this JDK. */
    static List<String> all() {
        List<String> flags = new ArrayList<>(List.of(MODULES, REF, LANG, SELECTORS, MANAGEMENT, SYSTEM));
        if (Runtime.version().feature() >= FEATURE_THAT_WARNS) {
            flags.add("--sun-misc-unsafe-memory-access=allow");
            flags.add("--enable-native-access=ALL-UNNAMED");
        }
        return flags;
    }
}
