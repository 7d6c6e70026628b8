package dev.touchstone.index.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.touchstone.index.server.http.Client;
import dev.touchstone.index.server.http.Client.Reply;
import dev.touchstone.index.server.store.ClusterFile;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Three services that are members of a cluster, each a process of its own with a store. */
@Tag("sweep")
@Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ClusterProcessTest {
    private static final int MEMBERS = 3;

    private final List<Integer> ports = freePorts();
    private final Map<Integer, Process> running = new TreeMap<>();
    private int next; // value of the next update
    private int acknowledged; // value of the last one that was acknowledged
    private ProcessBuilder.Redirect errors = ProcessBuilder.Redirect.DISCARD; // of members that start

    @TempDir
    Path folder = Path.of("");

    /** Ports on which nobody listens, below those that systems give to connections: a member that was killed wants its port again. */
    private static List<Integer> freePorts() {
        SplittableRandom random = new SplittableRandom(System.nanoTime());
        Set<Integer> ports = new LinkedHashSet<>();
        while (ports.size() < MEMBERS) {
            int port = 20_000 + random.nextInt(12_000);
            try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                ports.add(socket.getLocalPort());
            } catch (IOException e) {
                // somebody has it
            }
        }
        return List.copyOf(ports);
    }

    @AfterEach
    void killAll() {
        running.values().forEach(Process::destroyForcibly);
    }

    /** Starts a member, which is ready once the cluster has enough of them. */
    private void start(int member) throws IOException {
        List<String> arguments = new ArrayList<>(List.of(
                "--cluster",
                "127.0.0.1:" + ports.get(member),
                "--join",
                "127.0.0.1:" + ports.get((member + 1) % MEMBERS) + ",127.0.0.1:" + ports.get((member + 2) % MEMBERS),
                "--cluster-size",
                "2",
                "--store",
                store(member).toString(),
                "--prices",
                prices(member).toString(),
                "--watch"));
        if (!Files.exists(prices(member))) {
            Files.writeString(prices(member), "id,offering,value,colour\na,o,5,red\n");
        }
        running.put(member, ProcessTest.start(errors, arguments.toArray(String[]::new)));
    }

    private Path prices(int member) {
        return folder.resolve("prices-" + member + ".csv");
    }

    private Path store(int member) {
        return folder.resolve("store-" + member);
    }

    private void kill(int member) throws InterruptedException {
        Process process = Objects.requireNonNull(running.remove(member));
        process.destroyForcibly();
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    }

    private void startAll() throws IOException {
        for (int member = 0; member < MEMBERS; member++) {
            start(member);
        }
    }

    private Client client(int member) throws IOException {
        return new Client(ProcessTest.address(Objects.requireNonNull(running.get(member))));
    }

    private Client[] clients(int count) throws IOException {
        Client[] clients = new Client[count];
        for (int member = 0; member < count; member++) {
            clients[member] = client(member);
        }
        return clients;
    }

    private Reply put(Client client) throws IOException {
        next++;
        return client.ask(Client.post(
                "/v2/prices",
                "{\"put\":[{\"id\":\"b\",\"offering\":\"o\",\"value\":" + next
                        + ",\"conditions\":{\"colour\":\"blue\"}}]}"));
    }

    private boolean update(Client client) throws IOException {
        boolean isAcknowledged = put(client).status() == 200;
        if (isAcknowledged) {
            acknowledged = next;
        }
        return isAcknowledged;
    }

    private static @Nullable Integer blue(Client client) throws IOException {
        String body = client.ask(Client.post(
                        "/v2/search",
                        "{\"offering\":\"o\",\"conditions\":[{\"field\":\"colour\",\"value\":\"blue\"}]}"))
                .body();
        var value = new ObjectMapper().readTree(body).findValue("value");
        return value == null ? null : value.asInt();
    }

    /** Waits until a member shows the last acknowledged update, or a later one whose outcome was unknown. */
    private void assertShows(Client client) throws IOException {
        Integer found = blue(client);
        while (found == null || found < acknowledged) {
            LockSupport.parkNanos(100_000);
            found = blue(client);
        }
        assertThat(found).isLessThanOrEqualTo(next);
    }

    @Test
    void updates_atAnyMember_areAtAllAfterKillsAndAfterARestartOfAll() throws Exception {
        startAll();
        Client[] clients = clients(MEMBERS);
        for (int i = 0; i < 30; i++) {
            assertThat(update(clients[i % MEMBERS])).isTrue();
        }
        for (Client client : clients) {
            assertShows(client);
        }
        for (int gone = 0; gone < MEMBERS; gone++) {
            clients[gone].close();
            kill(gone);
            for (int i = 0; i < 20; i++) {
                boolean unused = update(clients[(gone + 1) % MEMBERS]);
            }
            start(gone);
            Client again = client(gone);
            clients[gone] = again;
            assertShows(again);
            assertThat(update(again)).isTrue();
        }
        for (Client client : clients) {
            assertShows(client);
            client.close();
        }
        for (int member = 0; member < MEMBERS; member++) {
            kill(member);
        }
        startAll();
        clients = clients(MEMBERS);
        for (Client client : clients) {
            assertShows(client);
        }
        assertFileIsUsedOnce(clients);
        for (Client client : clients) {
            client.close();
        }
    }

    /** Replaces the watched file of each member; those that were there before count for nothing, in whatever cluster a member has started. */
    private void assertFileIsUsedOnce(Client... clients) throws IOException {
        for (int member = 0; member < MEMBERS; member++) {
            Path file = Files.writeString(folder.resolve("next"), "id,offering,value,colour\na,o,5,red\nc,o,7,blue\n");
            Files.move(file, prices(member), StandardCopyOption.REPLACE_EXISTING);
        }
        int replacements = 0;
        for (Client client : clients) {
            while (!Objects.equals(blue(client), 7)) {
                LockSupport.parkNanos(100_000);
            }
        }
        for (Client client : clients) {
            String metrics = client.ask(Client.get("/metrics")).body();
            replacements += metrics.contains("touchstone_index_watch_replacements 1") ? 1 : 0;
        }
        assertThat(replacements).isEqualTo(1);
    }

    @Test
    void update_ofTheLastMember_isRefusedUntilThereAreEnough() throws Exception {
        start(0);
        start(1);
        Client[] clients = clients(2);
        assertThat(update(clients[0])).isTrue();
        clients[1].close();
        kill(1);
        Reply reply;
        do { // the member has to notice first
            reply = put(clients[0]);
        } while (!reply.body().contains("the changes were not applied"));
        assertThat(reply.status()).isEqualTo(503);
        assertThat(reply.body()).contains("too few members");
        assertThat(blue(clients[0])).isNotNull();
        clients[0].close();
    }

    @Test
    void start_withTheStoreOfAnotherCluster_endsAndSaysSo() throws Exception {
        startAll();
        Client[] clients = clients(MEMBERS);
        assertThat(update(clients[0])).isTrue();
        UUID cluster = Objects.requireNonNull(new ClusterFile(store(0)).read()).cluster();
        assertThat(Objects.requireNonNull(new ClusterFile(store(2)).read()).cluster())
                .isEqualTo(cluster);
        clients[2].close();
        kill(2);
        UUID other = UUID.randomUUID();
        new ClusterFile(store(2)).write(new ClusterFile.Content(other, 1, 1));
        Path messages = folder.resolve("messages");
        errors = ProcessBuilder.Redirect.to(messages.toFile());
        start(2);
        assertThat(Objects.requireNonNull(running.get(2)).waitFor()).isNotZero();
        assertThat(Files.readString(messages))
                .contains("prices are of another cluster", "cluster=" + other, "expected=" + cluster);
        assertThat(update(clients[1])).isTrue();
        clients[0].close();
        clients[1].close();
    }
}
