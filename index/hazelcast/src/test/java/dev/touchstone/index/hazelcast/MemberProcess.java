package dev.touchstone.index.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A member with a replica in a process of its own, which ends with its standard input or by a kill. */
final class MemberProcess implements AutoCloseable {
    private final Process process;

    private MemberProcess(Process process) {
        this.process = process;
    }

    /** Starts the member with a number, and waits until its replica is live. */
    static MemberProcess start(Cluster cluster, int member, ReplicaOptions options) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-cp",
                System.getProperty("java.class.path"),
                MemberProcess.class.getName(),
                cluster.name,
                Integer.toString(member),
                Integer.toString(options.minMembers()),
                Integer.toString(options.logEntries())));
        cluster.ports.forEach(port -> command.add(port.toString()));
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        BufferedReader out =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        assertThat(out.readLine()).isEqualTo("live");
        return new MemberProcess(process);
    }

    /** Kills the process, as a machine that loses its power does. */
    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
    }

    public static void main(String[] args) throws Exception {
        ReplicaOptions options = Replicas.options(Integer.parseInt(args[2]), Integer.parseInt(args[3]));
        List<Integer> ports = Arrays.stream(args).skip(4).map(Integer::valueOf).toList();
        Cluster cluster = new Cluster(args[0], ports, config -> ReplicatedPriceIndex.configure(config, options));
        HazelcastInstance member = Hazelcast.newHazelcastInstance(cluster.config(Integer.parseInt(args[1]), ports));
        try (ReplicatedPriceIndex replica =
                ReplicatedPriceIndex.open(member, Replica.inMemory(RandomBatches.empty()), options)) {
            if (!replica.awaitLive(Replicas.PATIENCE)) {
                throw new IllegalStateException("replica is not live: " + replica.status());
            }
            System.out.println("live");
            while (System.in.read() >= 0) {
                // nothing is said to it
            }
        }
        member.getLifecycleService().terminate();
    }
}
