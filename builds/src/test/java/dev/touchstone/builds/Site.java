package dev.touchstone.builds;

import dev.touchstone.builds.access.Access;
import dev.touchstone.builds.access.Caller;
import dev.touchstone.builds.connect.BuildClientFactory;
import dev.touchstone.builds.link.AgentLink;
import dev.touchstone.builds.link.LinkOptions;
import dev.touchstone.builds.link.LocalAgent;
import dev.touchstone.builds.master.Master;
import dev.touchstone.builds.master.MasterOptions;
import dev.touchstone.builds.output.Sink;
import dev.touchstone.builds.wire.MasterAddress;
import dev.touchstone.builds.wire.Security;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** A master, agents and clients in one JVM, over real sockets; closes what a test has opened, the last first. */
public final class Site implements AutoCloseable {
    public static final Token TOKEN = Token.of("a token for tests");
    public static final Security SECURITY = new Security(TOKEN, Optional.empty(), Duration.ofSeconds(8));

    /** Whoever shows the token, and may see everything. */
    public static final Caller ALL = Objects.requireNonNull(Access.of(TOKEN).find(TOKEN.text()));

    private final Path folder;
    private final UnaryOperator<MasterOptions> change;
    private final Outputs outputs;
    private final Deque<AutoCloseable> open = new ArrayDeque<>();
    private Master master;
    private int port;

    /** What a master's life has besides its log. */
    public interface Outputs {
        List<Sink> make() throws IOException;
    }

    public Site(Path folder, UnaryOperator<MasterOptions> change, Outputs outputs) throws IOException {
        this.folder = folder;
        this.change = change;
        this.outputs = outputs;
        this.port = Ports.fixed();
        startMaster();
    }

    public Site(Path folder, UnaryOperator<MasterOptions> change) throws IOException {
        this(folder, change, List::of);
    }

    public Site(Path folder) throws IOException {
        this(folder, options -> options);
    }

    /** Starts the master, on the port of the one before. */
    public void startMaster() throws IOException {
        MasterOptions options = change.apply(MasterOptions.of(folder, SECURITY));
        master = Master.start(options.withAddress(InetAddress.getLoopbackAddress(), port), outputs.make());
        port = master.port();
    }

    public void stopMaster() {
        master.close();
    }

    public Master master() {
        return master;
    }

    public int port() {
        return port;
    }

    public AgentLink agent(String identity, LocalAgent agent) throws IOException {
        return agent(identity, agent, port);
    }

    /** An agent that connects to some port, behind which the master is. */
    public AgentLink agent(String identity, LocalAgent agent, int atPort) throws IOException {
        MasterAddress address = new MasterAddress("127.0.0.1", atPort);
        LinkOptions options =
                new LinkOptions(identity, address, SECURITY, Duration.ofMillis(20), Duration.ofMillis(200));
        return with(AgentLink.start(agent, options));
    }

    public BuildClient client() throws InterruptedException {
        return client(port);
    }

    public BuildClient client(int atPort) throws InterruptedException {
        return with(BuildClientFactory.connect(options(atPort)));
    }

    public static ConnectOptions options(int port) {
        ConnectOptions options = ConnectOptions.of("builds://127.0.0.1:" + port, TOKEN);
        return new ConnectOptions(
                options.master(),
                TOKEN,
                options.tls(),
                Duration.ofSeconds(8),
                Duration.ofSeconds(30),
                options.patience());
    }

    public <T extends AutoCloseable> T with(T resource) {
        open.push(resource);
        return resource;
    }

    public static BuildRequest.Builder request() {
        return BuildRequest.of("git+file:///repository", "master", "script");
    }

    @Override
    public void close() {
        for (AutoCloseable resource : open) {
            close(resource);
        }
        master.close();
    }

    private static void close(AutoCloseable resource) {
        try {
            resource.close();
        } catch (Exception e) {
            throw new AssertionError("cannot be closed: " + resource, e);
        }
    }
}
