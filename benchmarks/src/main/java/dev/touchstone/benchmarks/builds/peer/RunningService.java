package dev.touchstone.benchmarks.builds.peer;

import dev.touchstone.benchmarks.ServerClassPath;
import dev.touchstone.builds.BuildClient;
import dev.touchstone.builds.BuildException;
import dev.touchstone.builds.ConnectOptions;
import dev.touchstone.builds.Token;
import dev.touchstone.builds.agent.BuildAgent;
import dev.touchstone.builds.connect.BuildClientFactory;
import dev.touchstone.builds.link.AgentLink;
import dev.touchstone.builds.link.LinkOptions;
import dev.touchstone.builds.link.LocalAgent;
import dev.touchstone.builds.master.Master;
import dev.touchstone.builds.master.MasterOptions;
import dev.touchstone.builds.master.job.Retention;
import dev.touchstone.builds.output.Sink;
import dev.touchstone.builds.output.Sinks;
import dev.touchstone.builds.wire.MasterAddress;
import dev.touchstone.builds.wire.Security;
import dev.touchstone.builds.wire.TlsStore;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/** A master, an agent and a client that are connected, with their defaults but for what a workload says. */
final class RunningService implements Closeable {
    private static final String COLLECTOR = "-XX:+UseSerialGC";

    private static final List<String> AGENT_FLAGS = List.of("-Xmx256m", COLLECTOR);

    /** Without the second compiler: an agent does little for long, and its compiling would take time from the scripts. But only that one encrypts fast. */
    private static final String FIRST_COMPILER = "-XX:TieredStopAtLevel=1";

    private static final long KEEP_BYTES = 2_000_000_000; // of logs

    private static final String TOKEN = "a token of the benchmark";
    private static final String IDENTITY = "bench";
    private static final Duration TICK = Duration.ofSeconds(15);

    private final ServiceOptions options;
    private final Deque<Closeable> open = new ArrayDeque<>(); // the last one first
    private String address = "";
    private Optional<BuildClient> client = Optional.empty();
    private Optional<RedisProcess> redis = Optional.empty();

    private RunningService(ServiceOptions options) {
        this.options = options;
    }

    static RunningService start(ServiceOptions options) throws IOException {
        RunningService service = new RunningService(options);
        try {
            String address = switch (options.topology()) {
                case PROCESSES, PROCESSES_TLS -> service.startProcesses();
                case ONE_JVM -> service.startHere();
            };
            service.address = address;
            BuildClient connected = service.connect();
            service.open.push(connected::close);
            service.client = Optional.of(connected);
            return service;
        } catch (IOException e) {
            service.close();
            throw e;
        }
    }

    /** Connects another client. */
    ServiceObserver observe() throws IOException {
        return new ServiceObserver(this, options, connect());
    }

    private BuildClient connect() throws IOException {
        ConnectOptions plain = ConnectOptions.of(address, Token.of(TOKEN));
        try {
            return BuildClientFactory.connect(
                    options.topology() == BuildTopology.PROCESSES_TLS
                            ? plain.withTls(TlsStore.load(keyStore(options.folder()), TOKEN.toCharArray()))
                            : plain);
        } catch (BuildException e) {
            throw new IOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    BuildClient client() {
        return client.orElseThrow();
    }

    RedisProcess redis() {
        return redis.orElseThrow();
    }

    private <T extends Closeable> T opened(T made) {
        open.push(made);
        return made;
    }

    private String startProcesses() throws IOException {
        Path folder = options.folder();
        Path token = folder.resolve("token");
        Files.writeString(token, TOKEN + "\n");
        Files.setPosixFilePermissions(token, PosixFilePermissions.fromString("rw-------"));
        String classPath = opened(ServerClassPath.unpack()).text();
        List<String> master = new ArrayList<>(List.of("master", "--port", "0", "--token-file", token.toString()));
        master.addAll(List.of("--folder", folder.resolve("master").toString()));
        master.addAll(List.of("--keep-bytes", Long.toString(KEEP_BYTES)));
        if (options.mode() == BuildMode.FILES) {
            master.addAll(List.of("--files", folder.resolve("files").toString()));
        } else if (options.mode() == BuildMode.REDIS) {
            RedisProcess started = opened(RedisProcess.start(folder));
            redis = Optional.of(started);
            master.addAll(List.of("--redis", started.uri()));
        }
        List<String> tls = options.topology() == BuildTopology.PROCESSES_TLS ? makeKey(folder, token) : List.of();
        master.addAll(tls);
        List<String> masterFlags = List.of("-Xmx" + options.masterMegabytes() + "m", COLLECTOR);
        String address = opened(ChildProcess.start(classPath, masterFlags, master, folder.resolve("master.err")))
                .ready();
        List<String> agent = new ArrayList<>(List.of("agent", "-master", address, "-identity", IDENTITY));
        agent.addAll(List.of("--isolation", "none")); // as the bare script beside it
        agent.addAll(List.of("-workspace", folder.resolve("agent").toString(), "-token-file", token.toString()));
        agent.addAll(List.of("-executors", Integer.toString(options.executors())));
        agent.addAll(tls);
        List<String> agentFlags = new ArrayList<>(AGENT_FLAGS);
        if (tls.isEmpty()) {
            agentFlags.add(FIRST_COMPILER);
        }
        ChildProcess unused = opened(ChildProcess.start(classPath, agentFlags, agent, folder.resolve("agent.err")));
        return address;
    }

    /** Makes the key that all three show and trust, with the token as its password; returns the flags that name both. */
    private static List<String> makeKey(Path folder, Path password) throws IOException {
        Path store = keyStore(folder);
        List<String> keytool = new ArrayList<>();
        keytool.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        keytool.addAll(List.of("-genkeypair", "-keystore", store.toString(), "-storetype", "PKCS12"));
        keytool.addAll(List.of("-storepass:file", password.toString(), "-alias", IDENTITY, "-dname", "CN=" + IDENTITY));
        keytool.addAll(List.of("-keyalg", "EC"));
        Path said = folder.resolve("keytool.out");
        try {
            int exitCode = new ProcessBuilder(keytool)
                    .redirectErrorStream(true)
                    .redirectOutput(said.toFile())
                    .start()
                    .waitFor();
            if (exitCode != 0) {
                throw new IOException("keytool has failed: exitCode=" + exitCode + " said=" + Files.readString(said));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
        return List.of("--tls-keystore", store.toString(), "--tls-password-file", password.toString());
    }

    private static Path keyStore(Path folder) {
        return folder.resolve("key.p12");
    }

    private String startHere() throws IOException {
        Security security = new Security(Token.of(TOKEN), Optional.empty(), TICK);
        if (options.mode() == BuildMode.REDIS) {
            throw new UnsupportedOperationException("the Redis client wants another Netty than peers in this process");
        }
        List<Sink> sinks = options.mode() == BuildMode.FILES
                ? List.of(Sinks.files(options.folder().resolve("files")))
                : List.of();
        MasterOptions masterOptions = MasterOptions.of(options.folder().resolve("master"), security)
                .withRetention(new Retention(Retention.DEFAULT.jobs(), Retention.DEFAULT.age(), KEEP_BYTES));
        Master master = Master.start(masterOptions, sinks);
        open.push(master::close);
        MasterAddress address = new MasterAddress("127.0.0.1", master.port());
        BuildAgent agent = BuildAgent.at(options.folder().resolve("agent"))
                .executors(options.executors())
                .open();
        open.push(agent::close);
        AgentLink link = AgentLink.start(LocalAgent.of(agent), LinkOptions.of(IDENTITY, address, security));
        open.push(link::close);
        return address.toString();
    }

    @Override
    public void close() throws IOException {
        for (Closeable next = open.poll(); next != null; next = open.poll()) {
            next.close();
        }
    }
}
