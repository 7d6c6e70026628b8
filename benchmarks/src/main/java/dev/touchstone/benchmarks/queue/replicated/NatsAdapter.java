package dev.touchstone.benchmarks.queue.replicated;

import dev.touchstone.benchmarks.Requirement;
import io.nats.client.Connection;
import io.nats.client.JetStream;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamManagement;
import io.nats.client.JetStreamSubscription;
import io.nats.client.Message;
import io.nats.client.Nats;
import io.nats.client.Options;
import io.nats.client.PushSubscribeOptions;
import io.nats.client.api.ClusterInfo;
import io.nats.client.api.StorageType;
import io.nats.client.api.StreamConfiguration;
import io.nats.client.api.StreamInfo;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * A stream of NATS JetStream with three replicas in files, {@code sync_interval: always}. A write is a publication whose acknowledgement the thread waits for,
 * over connections to the server that leads the stream, so that none goes through another one.
 */
public final class NatsAdapter implements ReplicatedUnderTest {
    private static final String STREAM = "records";
    private static final int REPLICAS = 3;
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final PeerServers servers;
    private final List<Connection> connections;
    private final JetStreamManagement management;
    private final List<JetStream> streams = new ArrayList<>();
    private final AtomicInteger threads = new AtomicInteger();
    private final ThreadLocal<JetStream> stream;

    private NatsAdapter(PeerServers servers, List<Connection> connections) throws IOException {
        this.servers = servers;
        this.connections = connections;
        management = connections.get(0).jetStreamManagement();
        for (Connection connection : connections) {
            streams.add(connection.jetStream());
        }
        stream = ThreadLocal.withInitial(() -> streams.get(threads.getAndIncrement() % streams.size()));
    }

    /** Returns whether NATS is installed. */
    public static Requirement requirement() {
        return () -> PeerServers.missing("nats");
    }

    /** Starts the servers, whose folders are in {@code folder}; all threads share a connection. */
    public static NatsAdapter open(Path folder) throws IOException {
        return open(folder, 1);
    }

    /** Starts the servers; eight connections are shared by the threads. */
    public static NatsAdapter openConnections(Path folder) throws IOException {
        return open(folder, 8);
    }

    private static NatsAdapter open(Path folder, int count) throws IOException {
        PeerServers servers = PeerServers.start("nats", folder);
        List<Connection> connections = new ArrayList<>();
        try {
            int leader = leader(servers);
            for (int i = 0; i < count; i++) {
                connections.add(connect(servers.addresses().get(leader)));
            }
            return new NatsAdapter(servers, connections);
        } catch (IOException | RuntimeException e) {
            close(connections);
            servers.close();
            throw e;
        }
    }

    private static Connection connect(String address) throws IOException {
        try {
            return Nats.connect(Options.builder().server("nats://" + address).build());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while connecting to " + address, e);
        }
    }

    /** Makes the stream if it is not there, and returns the number of the server that leads it; the script names server 2 {@code peer2}. */
    private static int leader(PeerServers servers) throws IOException {
        Connection first = connect(servers.addresses().get(0));
        try {
            JetStreamManagement management = first.jetStreamManagement();
            Object unused = Attempts.until(() -> management.addStream(StreamConfiguration.builder()
                    .name(STREAM)
                    .subjects(STREAM)
                    .storageType(StorageType.File)
                    .replicas(REPLICAS)
                    .build()));
            String name = Attempts.until(() -> {
                ClusterInfo cluster =
                        Objects.requireNonNull(management.getStreamInfo(STREAM).getClusterInfo());
                return Objects.requireNonNull(cluster.getLeader());
            });
            return Integer.parseInt(name.substring("peer".length()));
        } finally {
            close(List.of(first));
        }
    }

    @Override
    public void write(byte[] record) throws IOException {
        try {
            stream.get().publish(STREAM, record);
        } catch (JetStreamApiException e) {
            throw new IOException("NATS has refused a record", e);
        }
    }

    @Override
    public void scan(Consumer<byte[]> sink) throws IOException {
        try {
            long left = count();
            if (left == 0) {
                return;
            }
            PushSubscribeOptions options =
                    PushSubscribeOptions.builder().stream(STREAM).ordered(true).build();
            JetStreamSubscription subscription = streams.get(0).subscribe(STREAM, options);
            for (; left > 0; left--) {
                Message message = subscription.nextMessage(PATIENCE);
                if (message == null) {
                    throw new IOException("NATS delivers no record within " + PATIENCE + ", left=" + left);
                }
                sink.accept(message.getData());
            }
            subscription.unsubscribe();
        } catch (JetStreamApiException e) {
            throw new IOException("NATS cannot be read", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while reading", e);
        }
    }

    private long count() throws IOException, JetStreamApiException {
        StreamInfo info = management.getStreamInfo(STREAM);
        return info.getStreamState().getMsgCount();
    }

    @Override
    public void clear() throws IOException {
        try {
            Object unused = management.purgeStream(STREAM);
        } catch (JetStreamApiException e) {
            throw new IOException("NATS cannot be purged", e);
        }
    }

    @Override
    public List<Path> folders() {
        return servers.folders();
    }

    @Override
    public void kill() throws IOException {
        close(connections);
        servers.kill();
    }

    @Override
    public void close() throws IOException {
        close(connections);
        servers.close();
    }

    private static void close(List<Connection> connections) throws IOException {
        for (Connection connection : connections) {
            try {
                connection.close();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted while closing a connection", e);
            }
        }
    }
}
