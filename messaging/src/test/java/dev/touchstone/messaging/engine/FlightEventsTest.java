package dev.touchstone.messaging.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.messaging.Mailbox;
import dev.touchstone.messaging.MailboxLimits;
import dev.touchstone.messaging.Node;
import dev.touchstone.messaging.term.Atom;
import dev.touchstone.messaging.term.Binary;
import dev.touchstone.messaging.term.Pid;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import jdk.jfr.Recording;
import jdk.jfr.RecordingState;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Events of the flight recorder, and a node where the recorder is missing. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FlightEventsTest {
    private static final String PREFIX = "dev.touchstone.messaging.";

    @TempDir
    Path folder;

    private Nodes nodes;
    private Recording recording;

    @BeforeEach
    void start() throws IOException {
        nodes = new Nodes();
        recording = new Recording();
        for (String event :
                List.of("Connected", "ConnectionEnded", "HandshakeFailed", "SenderBlocked", "MailboxFull")) {
            recording.enable(PREFIX + event).withoutThreshold();
        }
        recording.start();
    }

    @AfterEach
    void stop() throws IOException {
        recording.close();
        nodes.close();
    }

    private List<RecordedEvent> recorded(String event) throws IOException {
        if (recording.getState() == RecordingState.RUNNING) {
            recording.stop();
        }
        Path file = folder.resolve("events.jfr");
        recording.dump(file);
        return RecordingFile.readAllEvents(file).stream()
                .filter(one -> one.getEventType().getName().equals(PREFIX + event))
                .toList();
    }

    @Test
    void connection_thatIsMadeAndEnds_isRecorded() throws IOException {
        Node a = nodes.start("a");
        Node b = nodes.start("b");
        a.connect(b.name());
        Nodes.await("both are connected", () -> b.connected().contains(a.name()));
        assertThat(a.disconnect(b.name())).isTrue();
        Nodes.await("b has seen it", () -> !b.stats().recentEnds().isEmpty());
        b.close();
        List<RecordedEvent> ends = recorded("ConnectionEnded");
        assertThat(ends).anySatisfy(end -> {
            assertThat(end.getString("node")).isEqualTo("a@localhost");
            assertThat(end.getString("peer")).isEqualTo("b@localhost");
            assertThat(end.getString("kind")).isEqualTo("CLOSED_HERE");
            assertThat(end.getString("cause")).contains("disconnected");
        });
        assertThat(recorded("Connected"))
                .extracting(made -> made.getString("node"))
                .containsExactlyInAnyOrder("a@localhost", "b@localhost");
    }

    @Test
    void handshake_thatFails_isRecorded() throws IOException {
        Node a = nodes.start("a");
        new Socket(InetAddress.getLoopbackAddress(), a.port()).close();
        Nodes.await("it has failed", () -> a.stats().refused() == 1);
        a.close();
        assertThat(recorded("HandshakeFailed")).singleElement().satisfies(failed -> {
            assertThat(failed.getString("other")).contains("127.0.0.1");
            assertThat(failed.getBoolean("dialled")).isFalse();
            assertThat(failed.getString("cause")).contains("closed");
        });
    }

    @Test
    void sender_thatWaitsForRoom_isRecordedWithItsTime() throws Exception {
        Node a = nodes.start("a");
        try (MutePeer peer = MutePeer.connect(a, "silent@localhost")) {
            Mailbox from = a.mailbox();
            Pid to = Pid.of(Atom.of("silent@localhost"), 1, 0, 1);
            Binary message = Binary.of(new byte[64 << 10]);
            while (from.trySend(to, message)) {
                // until the high-water mark
            }
            Thread sender = new Thread(() -> from.send(to, message));
            sender.start();
            Nodes.await("the sender waits", () -> sender.getState() == Thread.State.TIMED_WAITING);
            peer.cut();
            sender.join();
        }
        assertThat(recorded("SenderBlocked")).singleElement().satisfies(blocked -> {
            assertThat(blocked.getString("peer")).isEqualTo("silent@localhost");
            assertThat(blocked.getLong("pendingBytes")).isGreaterThanOrEqualTo(1 << 20);
            assertThat(blocked.getDuration().toNanos()).isPositive();
        });
    }

    @Test
    void mailbox_thatIsFull_isRecorded() throws Exception {
        Node a = nodes.start("a");
        Mailbox box = a.mailbox(new MailboxLimits(2, 1 << 20, MailboxLimits.WhenFull.DROP_NEWEST));
        Mailbox from = a.mailbox();
        while (box.dropped() == 0) {
            from.send(box.pid(), Atom.of("hello"));
        }
        assertThat(recorded("MailboxFull")).singleElement().satisfies(full -> {
            assertThat(full.getString("mailbox")).isEqualTo(box.toString());
            assertThat(full.getLong("maxMessages")).isEqualTo(2);
            assertThat(full.getString("policy")).isEqualTo("DROP_NEWEST");
        });
    }

    @Test
    void node_withoutTheModuleOfTheRecorder_works() throws IOException, InterruptedException {
        Path output = folder.resolve("output.txt");
        Process child = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--limit-modules",
                        "java.base",
                        "-cp",
                        System.getProperty("java.class.path"),
                        WithoutFlightRecorder.class.getName())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .redirectInput(new File("/dev/null"))
                .start();
        boolean ended = child.waitFor(1, TimeUnit.MINUTES);
        child.destroyForcibly();
        String said = Files.readString(output);
        assertThat(ended).as(said).isTrue();
        assertThat(said).contains("recorder=false", "arrived", "ended=silent@localhost");
        assertThat(child.exitValue()).as(said).isZero();
    }
}
