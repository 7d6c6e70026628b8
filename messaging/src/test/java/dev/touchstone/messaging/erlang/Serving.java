package dev.touchstone.messaging.erlang;

import dev.touchstone.messaging.Mailbox;
import dev.touchstone.messaging.MessagingException;
import dev.touchstone.messaging.term.Atom;
import dev.touchstone.messaging.term.Pid;
import dev.touchstone.messaging.term.Term;
import dev.touchstone.messaging.term.Tuple;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A thread that answers what comes to a mailbox, until the mailbox or this is closed. */
final class Serving implements AutoCloseable {
    private static final Atom CALL = Atom.of("$gen_call");

    private final Mailbox mailbox;
    private final Thread thread;
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

    private Serving(Mailbox mailbox, Consumer<Term> messages) {
        this.mailbox = mailbox;
        this.thread = new Thread(() -> serve(messages), "serving " + mailbox.pid());
        thread.setDaemon(true);
        thread.start();
    }

    /** Answers {@code {From, Term}} with {@code {Pid, Term}}. */
    static Serving echo(Mailbox mailbox) {
        return new Serving(mailbox, message -> {
            Tuple request = (Tuple) message;
            mailbox.send((Pid) request.get(0), Tuple.of(mailbox.pid(), request.get(1)));
        });
    }

    /** Answers calls as a gen_server does. */
    static Serving calls(Mailbox mailbox, UnaryOperator<Term> answers) {
        return new Serving(mailbox, message -> {
            if (message instanceof Tuple call && call.size() == 3 && call.get(0).equals(CALL)) {
                mailbox.reply(call.get(1), answers.apply(call.get(2)));
            }
        });
    }

    private void serve(Consumer<Term> messages) {
        try {
            while (true) {
                messages.accept(mailbox.receive());
            }
        } catch (MessagingException.Closed e) {
            // the end
        } catch (InterruptedException | RuntimeException | Error e) {
            failure.set(e);
        }
    }

    @Override
    public void close() {
        mailbox.close();
        try {
            thread.join(10_000);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        Throwable failed = failure.get();
        if (failed != null || thread.isAlive()) {
            throw new AssertionError("serving did not end well, alive=" + thread.isAlive(), failed);
        }
    }
}
