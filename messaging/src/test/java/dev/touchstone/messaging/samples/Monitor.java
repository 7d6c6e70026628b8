package dev.touchstone.messaging.samples;

import dev.touchstone.messaging.Mailbox;
import dev.touchstone.messaging.term.Pid;
import dev.touchstone.messaging.term.Ref;
import dev.touchstone.messaging.term.Term;
import dev.touchstone.messaging.term.Tuple;
import java.util.Objects;

/** Being told when a process ends, wherever it is and whyever: it ended, its node ended, or the network did. */
final class Monitor {
    private Monitor() {}

    /** Sends a message and waits for the receiver's end; its reason, from {@code {'DOWN', Ref, process, Pid, Reason}}. */
    static Term reasonOfTheEndOf(Pid process, Mailbox watching, Term message) throws InterruptedException {
        Ref monitor = watching.monitor(process);
        watching.send(process, message); // gets there after the monitor: what goes to one process keeps its order
        Term down = watching.receive(
                candidate -> candidate instanceof Tuple parts
                        && parts.size() == 5
                        && parts.get(1).equals(monitor),
                Samples.TIMEOUT);
        return ((Tuple) Objects.requireNonNull(down, "it still lives")).get(4);
    }
}
