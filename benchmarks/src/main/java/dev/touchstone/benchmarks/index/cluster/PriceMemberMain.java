package dev.touchstone.benchmarks.index.cluster;

import dev.touchstone.benchmarks.DeclaredSubject;
import dev.touchstone.benchmarks.index.data.PriceData;
import dev.touchstone.benchmarks.serialization.cluster.HazelcastConfigs;
import dev.touchstone.benchmarks.serialization.cluster.MemberMain;
import java.io.IOException;
import java.util.List;

/** A member with the prices of one subject, for as long as the benchmark runs that has started it. */
public final class PriceMemberMain {
    private static final String SUBJECT_PROPERTY = "touchstone.cluster.subject";
    private static final String NEAR_CACHE_PROPERTY = "touchstone.cluster.nearCache";

    private PriceMemberMain() {}

    /** Returns the flags of the member's JVM: as much memory as the benchmark's JVM has, and the subject. */
    static List<String> flags(String subject, boolean isNearCached) {
        return List.of(
                ClusterFlags.MIN_HEAP,
                ClusterFlags.MAX_HEAP,
                ClusterFlags.CALLBACKS,
                "-D" + SUBJECT_PROPERTY + "=" + subject,
                "-D" + NEAR_CACHE_PROPERTY + "=" + isNearCached);
    }

    /** Starts the member. */
    public static void main(String[] args) throws IOException {
        ClusterUnderTest subject = DeclaredSubject.of(System.getProperty(SUBJECT_PROPERTY, ""))
                .open(ClusterUnderTest.class, PriceData.SEED.index(List.of()), Boolean.getBoolean(NEAR_CACHE_PROPERTY));
        MemberMain.run(
                args,
                (name, host, port, members) ->
                        PriceCluster.startMember(subject, HazelcastConfigs.withoutRecords(name, host, port, members)));
    }
}
