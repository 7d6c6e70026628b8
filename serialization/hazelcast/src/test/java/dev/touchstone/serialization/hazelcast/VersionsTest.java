package dev.touchstone.serialization.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.instance.BuildInfoProvider;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The bridge with each version that it is for. All other tests run with the newest. */
@Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class VersionsTest {
    private static final String NEWEST = "5.7.0";
    private static final int ENTRIES = 50;

    @Test
    void olderVersions_inJvmsOfTheirOwn_doTheSame() throws IOException {
        Map<String, OwnJvm> started = new LinkedHashMap<>();
        try {
            for (String version : List.of("5.4.0", "5.5.0", "5.6.0")) {
                started.put(version, OwnJvm.start(OwnJvm.classPathWith(jar(version)), VersionMain.class));
            }
            for (Map.Entry<String, OwnJvm> each : started.entrySet()) {
                assertThat(each.getValue().await("passed ")).isEqualTo(each.getKey());
            }
        } finally {
            for (OwnJvm each : started.values()) {
                each.close();
            }
        }
    }

    /** Each client with each cluster, all of the map's ways between them. */
    @ParameterizedTest
    @ValueSource(strings = {"5.4.0", "5.5.0", "5.6.0", NEWEST})
    void clientsOfEachVersion_shareAMapOfOneCluster(String version) throws IOException {
        List<OwnJvm> started = new ArrayList<>();
        String cluster = "touchstone-" + UUID.randomUUID();
        List<Integer> ports = Cluster.freePorts(2);
        try {
            for (int port : ports) {
                started.add(member(version, cluster, port, ports));
            }
            for (OwnJvm each : started) {
                each.await("up");
            }
            List<String> versions = List.of("5.4.0", "5.5.0", "5.6.0", NEWEST);
            List<OwnJvm> clients = new ArrayList<>();
            for (String each : versions) {
                OwnJvm client = client(each, cluster, ports);
                started.add(client);
                clients.add(client);
            }
            for (OwnJvm each : clients) {
                each.await("up");
            }
            for (int i = 0; i < clients.size(); i++) {
                clients.get(i).tell("write shared " + i * ENTRIES + " " + ENTRIES + " by-" + versions.get(i));
                assertThat(clients.get(i).await("done ")).isEqualTo(versions.get(i));
            }
            for (int i = 0; i < clients.size(); i++) {
                clients.get(i).tell("check shared " + versions.size() * ENTRIES);
                assertThat(clients.get(i).await("done ")).isEqualTo(versions.get(i));
            }
        } finally {
            end(started);
        }
    }

    /**
     * Hazelcast's open-source members of two versions do not join: a cluster is stopped as a whole and started with the next version. Clients
     * live on, bring their schemas again, and write what they have.
     */
    @ParameterizedTest
    @ValueSource(strings = {"5.4.0", NEWEST})
    void clusterThatIsUpgraded_getsTheSchemasOfItsClientsAgain(String clientVersion) throws IOException {
        List<OwnJvm> started = new ArrayList<>();
        String cluster = "touchstone-" + UUID.randomUUID();
        List<Integer> ports = Cluster.freePorts(1);
        try {
            OwnJvm member = member("5.4.0", cluster, ports.get(0), ports);
            started.add(member);
            member.await("up");
            OwnJvm client = client(clientVersion, cluster, ports);
            started.add(client);
            client.await("up");
            for (int type = 0; type < 10; type++) {
                client.tell("write kept " + type * 10 + " 10 type-" + type);
                client.await("done ");
            }
            for (String next : List.of("5.5.0", "5.6.0", NEWEST, "5.4.0")) {
                member.close();
                member = member(next, cluster, ports.get(0), ports);
                started.add(member);
                member.await("up");
                client.tell("write kept 0 100 type-3"); // of a schema that it has sent to another cluster before
                client.await("done ");
                OwnJvm fresh = client(NEWEST, cluster, ports);
                started.add(fresh);
                fresh.await("up");
                fresh.tell("check kept 100");
                assertThat(fresh.await("done ")).isEqualTo(NEWEST);
                fresh.close();
            }
        } finally {
            end(started);
        }
    }

    private static OwnJvm member(String version, String cluster, int port, List<Integer> ports) throws IOException {
        List<String> args = new ArrayList<>(List.of(cluster, Integer.toString(port)));
        ports.forEach(each -> args.add(Integer.toString(each)));
        return OwnJvm.start(classPath(version), MemberMain.class, args.toArray(new String[0]));
    }

    private static OwnJvm client(String version, String cluster, List<Integer> ports) throws IOException {
        List<String> args = new ArrayList<>(List.of(cluster));
        ports.forEach(each -> args.add(Integer.toString(each)));
        return OwnJvm.start(classPath(version), VersionPeer.class, args.toArray(new String[0]));
    }

    private static String classPath(String version) {
        return version.equals(NEWEST) ? System.getProperty("java.class.path") : OwnJvm.classPathWith(jar(version));
    }

    private static void end(List<OwnJvm> started) throws IOException {
        for (int i = started.size() - 1; i >= 0; i--) {
            started.get(i).close();
        }
    }

    private static Path jar(String version) {
        Path jar = Path.of(System.getProperty("hazelcast.versions", ""), "hazelcast-" + version + ".jar");
        assertThat(Files.isRegularFile(jar)).as("the build copies %s", jar).isTrue();
        return jar;
    }

    @Test
    void newestVersion_isWhatTheOtherTestsRunWith() {
        assertThat(BuildInfoProvider.getBuildInfo().getVersion()).isEqualTo(NEWEST);
    }
}
