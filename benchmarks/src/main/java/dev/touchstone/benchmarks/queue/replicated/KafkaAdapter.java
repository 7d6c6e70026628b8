package dev.touchstone.benchmarks.queue.replicated;

import dev.touchstone.benchmarks.Requirement;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * A topic of Kafka with one partition and three replicas, {@code log.flush.interval.messages=1} and {@code min.insync.replicas=2}. A write waits for
 * the acknowledgement, {@code acks=all}, of an idempotent producer that all threads share.
 */
public final class KafkaAdapter implements ReplicatedUnderTest {
    private static final String TOPIC = "records";
    private static final TopicPartition PARTITION = new TopicPartition(TOPIC, 0);
    private static final short REPLICAS = 3;
    private static final Duration POLL = Duration.ofSeconds(1);

    private final PeerServers servers;
    private final Admin admin;
    private final KafkaProducer<byte[], byte[]> producer;

    private KafkaAdapter(PeerServers servers, Admin admin, KafkaProducer<byte[], byte[]> producer) {
        this.servers = servers;
        this.admin = admin;
        this.producer = producer;
    }

    /** Returns whether Kafka is installed. */
    public static Requirement requirement() {
        return () -> PeerServers.missing("kafka");
    }

    /** Starts the servers, whose folders are in {@code folder}; the producer sends without waiting for more records. */
    public static KafkaAdapter open(Path folder) throws IOException {
        return open(folder, 0);
    }

    /** Starts the servers; the producer waits up to 5 ms for more records, as is Kafka's default. */
    public static KafkaAdapter openLingering(Path folder) throws IOException {
        return open(folder, 5);
    }

    private static KafkaAdapter open(Path folder, int lingerMillis) throws IOException {
        PeerServers servers = PeerServers.start("kafka", folder);
        try {
            Map<String, Object> address = Map.of("bootstrap.servers", String.join(",", servers.addresses()));
            Admin admin = Admin.create(address);
            Object unused = Attempts.until(() -> {
                if (!admin.listTopics().names().get().contains(TOPIC)) {
                    admin.createTopics(Set.of(new NewTopic(TOPIC, 1, REPLICAS)))
                            .all()
                            .get();
                }
                return admin.describeTopics(Set.of(TOPIC)).allTopicNames().get();
            });
            KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                    Map.of(
                            "bootstrap.servers",
                            String.join(",", servers.addresses()),
                            "acks",
                            "all",
                            "linger.ms",
                            lingerMillis),
                    new ByteArraySerializer(),
                    new ByteArraySerializer());
            return new KafkaAdapter(servers, admin, producer);
        } catch (IOException | RuntimeException e) {
            servers.close();
            throw e;
        }
    }

    @Override
    public void write(byte[] record) throws IOException {
        try {
            Object unused = producer.send(new ProducerRecord<>(TOPIC, record)).get();
        } catch (ExecutionException e) {
            throw new IOException("Kafka has refused a record", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while Kafka answers", e);
        }
    }

    @Override
    public void scan(Consumer<byte[]> sink) {
        try (KafkaConsumer<byte[], byte[]> consumer = consumer()) {
            consumer.assign(List.of(PARTITION));
            consumer.seekToBeginning(List.of(PARTITION));
            long end = end(consumer);
            while (consumer.position(PARTITION) < end) {
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
                    sink.accept(record.value());
                }
            }
        }
    }

    private KafkaConsumer<byte[], byte[]> consumer() {
        return new KafkaConsumer<>(
                Map.of("bootstrap.servers", String.join(",", servers.addresses())),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
    }

    private static long end(KafkaConsumer<byte[], byte[]> consumer) {
        Long end = consumer.endOffsets(List.of(PARTITION)).get(PARTITION);
        return end == null ? 0 : end;
    }

    @Override
    public void clear() throws IOException {
        try (KafkaConsumer<byte[], byte[]> consumer = consumer()) {
            Map<TopicPartition, RecordsToDelete> all = Map.of(PARTITION, RecordsToDelete.beforeOffset(end(consumer)));
            Object unused = Attempts.until(() -> admin.deleteRecords(all).all().get());
        }
    }

    @Override
    public List<Path> folders() {
        return servers.folders();
    }

    @Override
    public void kill() throws IOException {
        producer.close(Duration.ZERO);
        admin.close(Duration.ZERO);
        servers.kill();
    }

    @Override
    public void close() throws IOException {
        producer.close();
        admin.close();
        servers.close();
    }
}
