package dev.touchstone.messaging.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.messaging.Mailbox;
import dev.touchstone.messaging.MessagingException;
import dev.touchstone.messaging.Node;
import dev.touchstone.messaging.dist.Connection;
import dev.touchstone.messaging.term.Atom;
import dev.touchstone.messaging.term.Binary;
import dev.touchstone.messaging.term.Int;
import dev.touchstone.messaging.term.Pid;
import dev.touchstone.messaging.term.Ref;
import dev.touchstone.messaging.term.Term;
import dev.touchstone.messaging.term.Tuple;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CyclicBarrier;
import java.util.function.Predicate;

/** One thread of {@link SoakTest}, with a mailbox of its own: it does anything at random, and checks what comes. */
final class SoakWorker {
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final Atom DATA = Atom.of("data");
    private static final Atom END = Atom.of("end");
    private static final Atom MARK = Atom.of("mark");
    private static final Atom BYE = Atom.of("bye");

    private final List<SoakWorker> workers;
    private final int id;
    private final LocalNode node;
    private final Mailbox box;
    private final SplittableRandom random;
    private final boolean cuts;
    private final CyclicBarrier barrier;
    private final long[] sentTo;
    private final long[] next; // by sender
    private int ended;
    private long received;
    private long lost;
    private long told; // by monitors and links
    private long steps;
    private volatile String doing = "";

    SoakWorker(
            List<SoakWorker> workers,
            int id,
            LocalNode node,
            SplittableRandom random,
            boolean cuts,
            CyclicBarrier barrier) {
        this.workers = workers;
        this.id = id;
        this.node = node;
        this.box = node.mailbox("worker" + id);
        this.random = random;
        this.cuts = cuts;
        this.barrier = barrier;
        this.sentTo = new long[barrier.getParties()];
        this.next = new long[barrier.getParties()];
    }

    long sent() {
        return Arrays.stream(sentTo).sum();
    }

    long received() {
        return received;
    }

    long lost() {
        return lost;
    }

    void run(List<Node> nodes, long endNanos) throws Exception {
        try {
            while (endNanos - System.nanoTime() > 0) {
                step(nodes.get(random.nextInt(nodes.size())));
                steps++;
            }
            finish(nodes);
        } catch (Exception | AssertionError e) {
            barrier.reset(); // the others need not wait
            throw e;
        }
    }

    private void step(Node other) throws InterruptedException {
        int choice = random.nextInt(1000);
        if (choice < 600) {
            doing = "send";
            send(workers.get(random.nextInt(workers.size())));
        } else if (choice < 800) {
            doing = "receive";
            receiveAll(random.nextInt(4) == 0 ? random.nextInt(1_000_000) : 0);
        } else if (choice < 850) {
            doing = "selective receive";
            Term mark = Tuple.of(MARK, Int.of(steps));
            box.send(box.pid(), mark);
            assertThat(await(mark::equals)).isNotNull();
        } else if (choice < 920) {
            doing = "call of " + other.name();
            call(other);
        } else if (choice < 995) {
            doing = "watch at " + other.name();
            watch(other);
        } else if (choice < 998) {
            doing = "monitorNode of " + other.name();
            box.monitorNode(other.name());
        } else if (cuts) {
            doing = "cut";
            for (Connection connection : node.peers().all()) {
                connection.end(new IOException("cut by a test"));
            }
        }
    }

    private void send(SoakWorker to) {
        int size = random.nextInt(200) == 0 ? 100_000 : random.nextInt(300);
        Term message = Tuple.of(DATA, Int.of(id), Int.of(sentTo[to.id]), Binary.of(new byte[size]));
        try {
            boolean sent = true;
            switch (random.nextInt(3)) {
                case 0 -> box.send(to.box.pid(), message);
                case 1 -> box.send("worker" + to.id, to.node.name(), message);
                default -> sent = box.trySend(to.box.pid(), message);
            }
            sentTo[to.id] += sent ? 1 : 0;
        } catch (MessagingException.Unreachable e) {
            checkCuts(e);
        }
    }

    private void checkCuts(RuntimeException unreachable) {
        if (!cuts) {
            throw unreachable;
        }
    }

    private void call(Node other) throws InterruptedException {
        try {
            assertThat(box.call("echo", other.name(), Int.of(steps), LONG)).isEqualTo(Int.of(steps));
        } catch (MessagingException.CallFailed | MessagingException.Unreachable e) {
            checkCuts(e);
        }
    }

    /** Opens a mailbox somewhere, links to it and watches it, and is told of each when it closes; of neither where it gave up both. */
    private void watch(Node other) throws InterruptedException {
        Mailbox watched = other.mailbox();
        Pid pid = watched.pid();
        Ref monitor = box.monitor(pid);
        box.link(pid);
        boolean givesUp = random.nextInt(4) == 0;
        if (givesUp) {
            box.demonitor(monitor);
            box.unlink(pid);
        }
        watched.close(BYE);
        Predicate<Term> down = term -> term instanceof Tuple t
                && t.is(WellKnownAtoms.DOWN, 5)
                && t.get(1).equals(monitor);
        Predicate<Term> exit = term -> term instanceof Tuple t
                && t.is(WellKnownAtoms.EXIT, 3)
                && t.get(1).equals(pid);
        if (givesUp) {
            Term unused = box.receive(down.or(exit), Duration.ZERO); // it may have ended before, with the connection
            unused = box.receive(down.or(exit), Duration.ZERO);
        } else {
            checkReason(await(down));
            checkReason(await(exit));
            told += 2;
        }
    }

    private Tuple await(Predicate<Term> wanted) throws InterruptedException {
        Term message = box.receive(wanted, LONG);
        if (message == null) {
            throw new AssertionError("never came: " + this);
        }
        return (Tuple) message;
    }

    private void checkReason(Tuple message) {
        Term reason = message.get(message.size() - 1);
        boolean expected = reason.equals(BYE)
                || reason.equals(WellKnownAtoms.NOPROC)
                || (cuts && reason.equals(WellKnownAtoms.NOCONNECTION));
        assertThat(expected).as(message.toString()).isTrue();
    }

    private void receiveAll(long nanos) throws InterruptedException {
        Term message = box.receive(Duration.ofNanos(nanos));
        while (message != null) {
            check((Tuple) message);
            message = box.receive(Duration.ZERO);
        }
    }

    private void check(Tuple message) {
        Term kind = message.get(0);
        if (kind.equals(WellKnownAtoms.NODEDOWN)) {
            assertThat(cuts).as(message.toString()).isTrue();
            return;
        }
        assertThat(kind).as("%s: %s", this, message).isIn(DATA, END);
        int from = (int) ((Int) message.get(1)).value();
        long number = ((Int) message.get(2)).value();
        long missing = number - next[from];
        boolean mayMiss = cuts && workers.get(from).node != node;
        assertThat(missing).as("%s from=%d number=%d", this, from, number).isBetween(0L, mayMiss ? number : 0);
        lost += missing;
        if (kind.equals(DATA)) {
            received++;
            next[from] = number + 1;
        } else {
            ended++;
            next[from] = Long.MAX_VALUE; // nothing may come after it
        }
    }

    /** Nobody cuts any more: once connections hold, each says how much it has sent. */
    private void finish(List<Node> nodes) throws Exception {
        doing = "finish";
        barrier.await();
        for (Node other : nodes) {
            while (!node.ping(other.name(), LONG)) {
                Thread.onSpinWait();
            }
        }
        barrier.await();
        for (SoakWorker to : workers) {
            box.send(to.box.pid(), Tuple.of(END, Int.of(id), Int.of(sentTo[to.id])));
        }
        while (ended < workers.size()) {
            receiveAll(LONG.toNanos());
        }
        barrier.await();
        receiveAll(0);
    }

    @Override
    public String toString() {
        return "worker" + id + " doing=" + doing + " steps=" + steps + " sent=" + sent() + " received=" + received
                + " lost=" + lost + " told=" + told;
    }
}
