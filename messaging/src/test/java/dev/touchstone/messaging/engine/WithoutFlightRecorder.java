package dev.touchstone.messaging.engine;

import dev.touchstone.messaging.Mailbox;
import dev.touchstone.messaging.Node;
import dev.touchstone.messaging.term.Atom;
import dev.touchstone.messaging.term.Binary;
import dev.touchstone.messaging.term.Pid;
import java.time.Duration;
import java.util.Objects;

/** A program of {@link FlightEventsTest} that runs in a JVM of its own, with the module {@code java.base} only. */
final class WithoutFlightRecorder {
    private WithoutFlightRecorder() {}

    /**
     * Does everything that would be recorded.
     *
     * @param arguments none
     */
    public static void main(String[] arguments) throws Exception {
        System.out.println(
                "recorder=" + ModuleLayer.boot().findModule("jdk.jfr").isPresent());
        try (Nodes nodes = new Nodes()) {
            Node a = nodes.start("a");
            Node b = nodes.start("b");
            Mailbox to = a.mailbox("to");
            b.mailbox().send("to", a.name(), Atom.of("arrived"));
            System.out.println(Objects.requireNonNull(to.receive(Duration.ofSeconds(20))));
            try (MutePeer peer = MutePeer.connect(a, "silent@localhost")) {
                Pid mute = Pid.of(Atom.of("silent@localhost"), 1, 0, 1);
                Binary message = Binary.of(new byte[64 << 10]);
                while (to.trySend(mute, message)) {
                    // until the high-water mark
                }
                Thread sender = new Thread(() -> to.send(mute, message));
                sender.start();
                Nodes.await("the sender waits", () -> sender.getState() == Thread.State.TIMED_WAITING);
                peer.cut();
                sender.join();
            }
            Nodes.await("the end is known", () -> !a.stats().recentEnds().isEmpty());
            System.out.println(
                    "ended=" + a.stats().recentEnds().get(0).connection().peer());
        }
    }
}
