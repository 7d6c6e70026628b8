package dev.touchstone.builds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.builds.connect.BuildClientFactory;
import dev.touchstone.builds.link.AgentLink;
import dev.touchstone.builds.link.FakeAgent;
import dev.touchstone.builds.link.LinkOptions;
import dev.touchstone.builds.master.Master;
import dev.touchstone.builds.master.MasterOptions;
import dev.touchstone.builds.wire.MasterAddress;
import dev.touchstone.builds.wire.Security;
import dev.touchstone.builds.wire.TlsStore;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Master, agent and client in TLS; who has no key that the others trust is not let in. */
@Timeout(300)
class TlsTest {
    private static final char[] PASSWORD = "changeit".toCharArray();

    @TempDir
    Path folder;

    private SSLContext context(String name) throws Exception {
        Path file = generate(name);
        trust(file, name, certificate(file, name));
        return TlsStore.load(file, PASSWORD);
    }

    /** A store with a key and its certificate. */
    private Path generate(String name) throws Exception {
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
        return file;
    }

    private static KeyStore read(Path file) throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (var in = Files.newInputStream(file)) {
            store.load(in, PASSWORD);
        }
        return store;
    }

    private static void write(KeyStore store, Path file) throws Exception {
        try (var out = Files.newOutputStream(file)) {
            store.store(out, PASSWORD);
        }
    }

    private static Certificate certificate(Path file, String name) throws Exception {
        return read(file).getCertificate(name);
    }

    private static void trust(Path file, String name, Certificate certificate) throws Exception {
        KeyStore store = read(file);
        store.setCertificateEntry("trusted-" + name, certificate);
        write(store, file);
    }

    @Test
    void connections_inTls_carryBuilds_andStrangersAreNotLetIn() throws Exception {
        SSLContext ours = context("ours");
        SSLContext strangers = context("strangers");
        Security security = new Security(Site.TOKEN, Optional.of(ours), Duration.ofSeconds(15));
        try (Master master = Master.start(MasterOptions.of(folder.resolve("m"), security));
                FakeAgent agent = new FakeAgent(run -> {
                    run.print("x".repeat(300_000));
                    return 0;
                })) {
            MasterAddress address = new MasterAddress("127.0.0.1", master.port());
            try (AgentLink link = AgentLink.start(agent, LinkOptions.of("a", address, security));
                    BuildClient client =
                            BuildClientFactory.connect(options(master).withTls(ours))) {
                Build build = client.submit(Site.request().build());
                assertThat(Logs.end(build.result()).logBytes()).isEqualTo(300_000);
                assertThat(Logs.text(build)).isEqualTo("x".repeat(300_000));
                assertThat(link.isConnected()).isTrue();
            }
            for (ConnectOptions strange :
                    List.of(impatient(master), impatient(master).withTls(strangers))) {
                assertThatThrownBy(() -> BuildClientFactory.connect(strange)).isInstanceOf(BuildException.class);
            }
        }
    }

    @Test
    void certificate_takenOutOfTheMastersStore_shutsItsAgentOut() throws Exception {
        Path ours = generate("master");
        trust(ours, "master", certificate(ours, "master"));
        Map<String, Security> securities = new HashMap<>();
        for (String name : List.of("one", "two")) {
            Path file = generate(name);
            trust(file, "master", certificate(ours, "master"));
            trust(ours, name, certificate(file, name));
            securities.put(name, security(TlsStore.load(file, PASSWORD)));
        }
        int port = Ports.fixed();
        MasterOptions options = MasterOptions.of(folder.resolve("m"), security(TlsStore.load(ours, PASSWORD)))
                .withAddress(InetAddress.getLoopbackAddress(), port);
        Master master = Master.start(options);
        try (FakeAgent agent = new FakeAgent(run -> 0);
                AgentLink one = AgentLink.start(agent, link("one", master, securities));
                AgentLink two = AgentLink.start(agent, link("two", master, securities))) {
            Until.isTrue("both are let in", () -> one.isConnected() && two.isConnected());
            master.close();
            KeyStore store = read(ours);
            store.deleteEntry("trusted-one");
            write(store, ours);
            SSLContext without = TlsStore.load(ours, PASSWORD);
            master = Master.start(MasterOptions.of(folder.resolve("m"), security(without))
                    .withAddress(InetAddress.getLoopbackAddress(), port));
            Until.isTrue("the other is let in", two::isConnected);
            assertThat(one.isConnected()).isFalse();
            try (BuildClient client = BuildClientFactory.connect(options(master).withTls(without))) {
                BuildResult result =
                        Logs.end(client.submit(Site.request().build()).result());
                assertThat(result.agent()).isEqualTo("two");
            }
            assertThat(one.isConnected()).isFalse();
        } finally {
            master.close();
        }
    }

    @Test
    void connections_withHalfAHandshake_areClosed() throws Exception {
        Security security = new Security(Site.TOKEN, Optional.of(context("ours")), Duration.ofSeconds(1));
        try (Master master = Master.start(MasterOptions.of(folder.resolve("m"), security));
                RawHttp2 silent = new RawHttp2(master.port());
                RawHttp2 half = new RawHttp2(master.port())) {
            half.send(new byte[] {22, 3, 1, 1, 0, 1, 0, 0}); // a record of 256 bytes begins, with a client's hello
            Until.isTrue("the silent one is closed", silent::isClosed);
            Until.isTrue("the half one is closed", half::isClosed);
        }
    }

    private static Security security(SSLContext tls) {
        return new Security(Site.TOKEN, Optional.of(tls), Duration.ofSeconds(15));
    }

    private static LinkOptions link(String identity, Master master, Map<String, Security> securities) {
        return new LinkOptions(
                identity,
                new MasterAddress("127.0.0.1", master.port()),
                Objects.requireNonNull(securities.get(identity)),
                Duration.ofMillis(20),
                Duration.ofMillis(200));
    }

    private static ConnectOptions options(Master master) {
        return options(master, Duration.ofSeconds(30));
    }

    private static ConnectOptions impatient(Master master) {
        return options(master, Duration.ofSeconds(1));
    }

    private static ConnectOptions options(Master master, Duration connectTimeout) {
        return new ConnectOptions(
                "127.0.0.1:" + master.port(),
                Site.TOKEN,
                Optional.empty(),
                Duration.ofSeconds(15),
                connectTimeout,
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
