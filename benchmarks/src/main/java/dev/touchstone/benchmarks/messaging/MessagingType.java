package dev.touchstone.benchmarks.messaging;

import dev.touchstone.benchmarks.SubjectWrappers;
import dev.touchstone.benchmarks.messaging.peer.CeilingEchoAdapter;
import dev.touchstone.benchmarks.messaging.peer.DropIn;
import dev.touchstone.benchmarks.messaging.peer.EchoShape;
import dev.touchstone.benchmarks.messaging.peer.EchoUnderTest;
import dev.touchstone.benchmarks.messaging.peer.EnconEchoAdapter;
import dev.touchstone.benchmarks.messaging.peer.EnconMailboxAdapter;
import dev.touchstone.benchmarks.messaging.peer.EnconTermAdapter;
import dev.touchstone.benchmarks.messaging.peer.ErlangEchoAdapter;
import dev.touchstone.benchmarks.messaging.peer.JinterfaceEchoAdapter;
import dev.touchstone.benchmarks.messaging.peer.JinterfaceMailboxAdapter;
import dev.touchstone.benchmarks.messaging.peer.JinterfaceTermAdapter;
import dev.touchstone.benchmarks.messaging.peer.MailboxUnderTest;
import dev.touchstone.benchmarks.messaging.peer.OursEchoAdapter;
import dev.touchstone.benchmarks.messaging.peer.OursMailboxAdapter;
import dev.touchstone.benchmarks.messaging.peer.OursTermAdapter;
import dev.touchstone.benchmarks.messaging.peer.TermRecipe;
import dev.touchstone.benchmarks.messaging.peer.TermUnderTest;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The subjects of the messaging benchmarks, by the value of their parameter {@code subject}. */
public enum MessagingType {
    OURS("all limits on", OursEchoAdapter::open, OursMailboxAdapter::open, OursTermAdapter::of),
    /** Our node through the package of jinterface, with the adapters of jinterface. */
    OURS_DROP_IN("all limits on", DropIn::echo, DropIn::mailboxes, DropIn::term),
    JINTERFACE(
            "node, no limits", JinterfaceEchoAdapter::open, JinterfaceMailboxAdapter::open, JinterfaceTermAdapter::of),
    ENCON("node, no limits", EnconEchoAdapter::open, EnconMailboxAdapter::open, EnconTermAdapter::of),
    ERLANG("node, two processes", ErlangEchoAdapter::open, null, null),
    CEILING_BLOCKING("sockets that sleep, no node", CeilingEchoAdapter::blocking, null, null),
    CEILING_BUSY("sockets that are polled, no node", CeilingEchoAdapter::busy, null, null);

    private final String level;

    @SuppressWarnings("ImmutableEnumChecker") // method references
    private final EchoFactory echo;

    @SuppressWarnings("ImmutableEnumChecker")
    private final @Nullable MailboxFactory mailboxes;

    @SuppressWarnings("ImmutableEnumChecker")
    private final @Nullable TermSubjectFactory terms;

    MessagingType(
            String level, EchoFactory echo, @Nullable MailboxFactory mailboxes, @Nullable TermSubjectFactory terms) {
        this.level = level;
        this.echo = echo;
        this.mailboxes = mailboxes;
        this.terms = terms;
    }

    /** Returns in words the kind of the subject's node, and whether it enforces the limits that ours does. */
    public String level() {
        return level;
    }

    /** Returns whether this is a physical limit and not a node. */
    public boolean ceiling() {
        return name().startsWith("CEILING");
    }

    /** Returns whether the subject echoes on its own, and a call takes one of those echoes. */
    boolean isCounted() {
        return ceiling() || this == ERLANG;
    }

    /** Returns whether the subject can run on this machine: one of them needs an installed Erlang. */
    public boolean available() {
        return this != ERLANG || ErlangEchoAdapter.available();
    }

    /** Starts the nodes and connects them. */
    EchoUnderTest openEcho(EchoShape shape) throws IOException {
        return SubjectWrappers.wrapped(this, EchoUnderTest.class, echo.open(shape));
    }

    /** Starts one node. */
    MailboxUnderTest openMailboxes() throws IOException {
        if (mailboxes == null) {
            throw new UnsupportedOperationException(this + " has no mailboxes in this JVM");
        }
        return SubjectWrappers.wrapped(this, MailboxUnderTest.class, mailboxes.open());
    }

    /** Makes a term. */
    TermUnderTest makeTerm(TermRecipe recipe, byte[] wire) {
        if (terms == null) {
            throw new UnsupportedOperationException(this + " has no terms in this JVM");
        }
        return SubjectWrappers.wrapped(this, TermUnderTest.class, terms.make(recipe, wire));
    }

    @FunctionalInterface
    private interface EchoFactory {
        EchoUnderTest open(EchoShape shape) throws IOException;
    }

    @FunctionalInterface
    private interface MailboxFactory {
        MailboxUnderTest open() throws IOException;
    }

    @FunctionalInterface
    private interface TermSubjectFactory {
        TermUnderTest make(TermRecipe recipe, byte[] wire);
    }
}
