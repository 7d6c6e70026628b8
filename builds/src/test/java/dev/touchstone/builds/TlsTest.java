package dev.touchstone.builds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.builds.link.AgentLink;
import dev.touchstone.builds.link.FakeAgent;
import dev.touchstone.builds.link.LinkOptions;
import dev.touchstone.builds.master.Master;
import dev.touchstone.builds.master.MasterOptions;
import dev.touchstone.builds.wire.MasterAddress;
import dev.touchstone.builds.wire.Nodes;
import dev.touchstone.builds.wire.TlsStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Master, agent and client in TLS; who has no key that the others trust is not let in. */
@Tag("slow") // until they have run on slow machines, too
@Timeout(120)
class TlsTest {
    private static final char[] PASSWORD = "changeit".toCharArray();

    @TempDir
    Path folder;

    private SSLContext context(String name) throws Exception {
        Path file = folder.resolve(name + ".p12");
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-keystore",
                        file.toString(),
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        new String(PASSWORD),
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=" + name,
                        "-alias",
                        name,
                        "-validity",
                        "2")
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("keytool.out").toFile())
                .start();
        assertThat(keytool.waitFor())
                .as(Files.readString(folder.resolve("keytool.out")))
                .isZero();
        return TlsStore.load(trusting(file, name), PASSWORD);
    }

    /** The same store, with the certificate as one that is trusted too. */
    private Path trusting(Path file, String name) throws Exception {
        var store = java.security.KeyStore.getInstance("PKCS12");
        try (var in = Files.newInputStream(file)) {
            store.load(in, PASSWORD);
        }
        store.setCertificateEntry("trusted", store.getCertificate(name));
        try (var out = Files.newOutputStream(file)) {
            store.store(out, PASSWORD);
        }
        return file;
    }

    @Test
    void connections_inTls_carryBuilds_andStrangersAreNotLetIn() throws Exception {
        SSLContext ours = context("ours");
        SSLContext strangers = context("strangers");
        Nodes.Security security = new Nodes.Security(Site.TOKEN, Optional.of(ours), Duration.ofSeconds(15));
        try (Master master = Master.start(MasterOptions.of(folder.resolve("m"), security));
                FakeAgent agent = new FakeAgent(run -> {
                    run.print("x".repeat(300_000));
                    return 0;
                })) {
            MasterAddress address = new MasterAddress("127.0.0.1", master.port());
            try (AgentLink link = AgentLink.start(agent, LinkOptions.of("a", address, security));
                    BuildClient client = BuildClient.connect(options(master).withTls(ours))) {
                Build build = client.submit(Site.request().build());
                assertThat(Logs.end(build.result()).logBytes()).isEqualTo(300_000);
                assertThat(Logs.text(build)).isEqualTo("x".repeat(300_000));
                assertThat(link.isConnected()).isTrue();
            }
            assertThatThrownBy(() -> BuildClient.connect(options(master).withTls(strangers)))
                    .isInstanceOf(BuildException.class);
            assertThatThrownBy(() -> BuildClient.connect(options(master))).isInstanceOf(BuildException.class);
        }
    }

    private static ConnectOptions options(Master master) {
        return new ConnectOptions(
                "127.0.0.1:" + master.port(),
                Site.TOKEN,
                Optional.empty(),
                Duration.ofSeconds(15),
                Duration.ofSeconds(5),
                Duration.ofSeconds(5));
    }

    @Test
    void keyStore_thatIsNone_isRefusedWithItsName() throws Exception {
        Path file = Files.writeString(folder.resolve("rubbish.p12"), "rubbish");
        assertThatThrownBy(() -> TlsStore.load(file, PASSWORD)).isInstanceOf(IOException.class);
        Path password = Files.writeString(folder.resolve("password"), "secret\nmore\n");
        assertThat(TlsStore.password(password)).isEqualTo("secret".toCharArray());
    }
}
