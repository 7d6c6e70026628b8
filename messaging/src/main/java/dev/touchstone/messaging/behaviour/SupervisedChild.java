package dev.touchstone.messaging.behaviour;

import dev.touchstone.messaging.Mailbox;
import dev.touchstone.messaging.MessagingException;
import dev.touchstone.messaging.term.Atom;
import dev.touchstone.messaging.term.Binary;
import dev.touchstone.messaging.term.ErlList;
import dev.touchstone.messaging.term.Pid;
import dev.touchstone.messaging.term.Ref;
import dev.touchstone.messaging.term.Term;
import dev.touchstone.messaging.term.Tuple;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A child and the server that it is at present, if any. Belongs to the thread of its supervisor. */
final class SupervisedChild {
    private static final Atom ALREADY_STARTED = Atom.of("already_started");
    private static final Atom RESTARTING = Atom.of("restarting");

    private final ChildSpec spec;
    private final List<Term> arguments;
    private @Nullable RunningServer running;
    private @Nullable Ref retry; // the attempt that a failed restart waits for

    SupervisedChild(ChildSpec spec, List<Term> arguments) {
        this.spec = spec;
        this.arguments = arguments;
    }

    ChildSpec spec() {
        return spec;
    }

    boolean isRunning() {
        return running != null;
    }

    /** Returns whether a restart has failed and is tried again. */
    boolean isRestarting() {
        return retry != null;
    }

    boolean is(Term pid) {
        return running != null && running.pid().equals(pid);
    }

    Pid pid() {
        return Objects.requireNonNull(running, "child does not run").pid();
    }

    /** Returns what {@code supervisor:which_children} shows: a pid, {@code restarting} or {@code undefined}. */
    Term shown() {
        if (running != null) {
            return running.pid();
        }
        return retry != null ? RESTARTING : Atom.UNDEFINED;
    }

    /** Notes that the server has ended. */
    void ended() {
        running = null;
    }

    /** Notes that a restart has failed, and is tried again when a message with this reference comes. */
    void retryOn(Ref attempt) {
        retry = attempt;
    }

    boolean waitsFor(Term attempt) {
        return attempt.equals(retry);
    }

    /** Starts the server, linked to the supervisor; returns the reason if that fails, and else null. */
    @Nullable
    Term start(Mailbox supervisor) throws InterruptedException {
        ServerOptions options = spec.options().parent(supervisor);
        try {
            running = GenServer.start(supervisor.node(), spec.factory().create(arguments), options);
            retry = null;
            return null;
        } catch (StartFailedException e) {
            return e.reason();
        } catch (MessagingException.NameTaken e) {
            Pid other = supervisor.node().whereis(Objects.requireNonNull(options.name()));
            return Tuple.of(ALREADY_STARTED, other == null ? Atom.UNDEFINED : other);
        } catch (InterruptedException e) {
            throw e;
        } catch (Throwable e) { // Errors too: an end of the supervisor would end the other children
            return Tuple.of(Binary.of(e.toString()), ErlList.EMPTY);
        }
    }

    /** Ends the server within the specification's time, and kills it after that. */
    void terminate(Mailbox supervisor) throws InterruptedException {
        RunningServer ending = running;
        running = null;
        retry = null;
        if (ending == null) {
            return;
        }
        supervisor.unlink(ending.pid()); // no message of an end that was asked for
        if (spec.shutdown().isZero()) {
            ending.kill();
            return;
        }
        boolean hasEnded = supervisor.isClosed() // then its links have told the children
                ? ending.awaitEnd(spec.shutdown())
                : ending.end(supervisor, Tuple.of(OtpAtoms.EXIT, supervisor.pid(), OtpAtoms.SHUTDOWN), spec.shutdown());
        if (!hasEnded) {
            ending.kill();
        }
    }
}
