package dev.touchstone.serialization.hazelcast;

import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;

/** A member in a JVM of its own: the cluster's name, its port, and the ports of all. It ends with its standard input. */
final class MemberMain {
    private MemberMain() {}

    public static void main(String[] args) throws IOException {
        List<Integer> ports = Arrays.stream(args).skip(2).map(Integer::valueOf).toList();
        HazelcastInstance member =
                Hazelcast.newHazelcastInstance(Cluster.memberConfig(args[0], Integer.parseInt(args[1]), ports));
        System.out.println("up");
        while (System.in.read() >= 0) {
            // Nothing is said to it.
        }
        member.getLifecycleService().terminate();
    }
}
