package dev.touchstone.serialization.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.hazelcast.core.HazelcastInstance;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Clients in other languages read what we write, and we what they write. {@code .ci/run} installs them. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class OtherClientsTest {
    @Test
    void pythonClient_copiesOurValues() throws Exception {
        assumeTrue(
                succeeds("python3", "-c", "import hazelcast"),
                "no Python client: pip install hazelcast-python-client==5.7.0, and PYTHONPATH where it is not in the default place");
        checkCopies("python3", "trades.py");
    }

    @Test
    void nodeClient_copiesOurValues() throws Exception {
        assumeTrue(
                succeeds("node", "-e", "require('hazelcast-client')"),
                "no Node.js client: npm install hazelcast-client@5.7.0, and NODE_PATH=<where>/node_modules");
        checkCopies("node", "trades.js");
    }

    private static void checkCopies(String interpreter, String script) throws Exception {
        try (Cluster cluster = new Cluster()) {
            List<Integer> ports = Cluster.freePorts(1);
            HazelcastInstance member = cluster.member(ports.get(0), ports);
            CompactMap<Integer, Trade> map = CompactMap.of(member, "trades", new Trade.Codec());
            for (int key = 1; key <= 5; key++) {
                map.set(key, Trade.of(key));
            }
            String out =
                    run(interpreter, path(script), cluster.name, ports.get(0).toString(), "trades");
            assertThat(out).as("the copy too").contains("found 2");
            for (int key = 1; key <= 5; key++) {
                assertThat(map.get(100 + key)).isEqualTo(Trade.of(key));
                assertThat(map.getBytes(100 + key)).isEqualTo(map.getBytes(key));
            }
        }
    }

    private static String path(String script) throws URISyntaxException {
        return Path.of(Objects.requireNonNull(OtherClientsTest.class.getResource("/interop/" + script))
                        .toURI())
                .toString();
    }

    private static boolean succeeds(String... command) throws InterruptedException {
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return process.waitFor() == 0;
        } catch (IOException e) {
            return false;
        }
    }

    private static String run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try {
            process.getOutputStream().close();
            String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).as(out).isZero();
            return out;
        } finally {
            process.destroyForcibly();
        }
    }
}
