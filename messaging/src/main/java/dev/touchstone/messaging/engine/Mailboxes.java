package dev.touchstone.messaging.engine;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.touchstone.messaging.AliasMode;
import dev.touchstone.messaging.term.Atom;
import dev.touchstone.messaging.term.Pid;
import dev.touchstone.messaging.term.Ref;
import dev.touchstone.messaging.term.Tuple;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** A node's open mailboxes, found by pid, name and alias. Thread-safe; finding takes no lock. */
final class Mailboxes {
    /*
     * Who calls:      any thread; the leader finds, for each message.
     * Invariants:     an open mailbox is in the slot of its id, modulo the number of slots, which is a power of two and at least twice the
     *                 number of mailboxes. No two mailboxes have a slot in common. An id is given once. An alias of a mailbox is in
     *                 that mailbox's set before it is in `aliases`, and until it is not.
     * Ordering:       a slot is written under this object's monitor and published by writing `slots`, which readers read first. A mailbox leaves
     *                 its slot before its aliases are removed; whoever adds an alias looks at the slot afterwards.
     * Failure:        where the maker throws, nothing has changed but the next id.
     */
    private static final int FIRST_CAPACITY = 64;

    private final Map<Atom, LocalMailbox> names = new ConcurrentHashMap<>();
    private final Map<Ref, Alias> aliases = new ConcurrentHashMap<>();
    private volatile @Nullable LocalMailbox[] slots =
            new @Nullable LocalMailbox[FIRST_CAPACITY]; // by id, modulo length

    @GuardedBy("this")
    private int nextId = 1;

    @GuardedBy("this")
    private int count;

    /** Adds the mailbox that {@code maker} makes for a new id. */
    synchronized LocalMailbox add(Maker maker) {
        if (2 * count >= slots.length) {
            grow();
        }
        @Nullable LocalMailbox[] table = slots;
        while (table[nextId & (table.length - 1)] != null) {
            nextId++;
        }
        LocalMailbox mailbox = maker.make(nextId);
        table[nextId & (table.length - 1)] = mailbox;
        slots = table; // publishes the element
        nextId++;
        count++;
        return mailbox;
    }

    /** Makes a mailbox with an id. */
    interface Maker {
        LocalMailbox make(int id);
    }

    private void grow() {
        int length = slots.length;
        @Nullable LocalMailbox[] larger;
        do {
            length *= 2;
            larger = new @Nullable LocalMailbox[length];
        } while (!fits(larger));
        slots = larger;
    }

    private boolean fits(@Nullable LocalMailbox[] table) {
        for (LocalMailbox mailbox : slots) {
            if (mailbox != null) {
                int slot = mailbox.pid().id() & (table.length - 1);
                if (table[slot] != null) {
                    return false;
                }
                table[slot] = mailbox;
            }
        }
        return true;
    }

    synchronized void remove(LocalMailbox mailbox) {
        @Nullable LocalMailbox[] table = slots;
        int slot = mailbox.pid().id() & (table.length - 1);
        if (table[slot] == mailbox) {
            table[slot] = null;
            slots = table;
            count--;
        }
        mailbox.name().ifPresent(name -> names.remove(Atom.of(name), mailbox));
        mailbox.aliases().forEach(aliases::remove);
    }

    /** Returns the open mailbox of a pid of this node and creation, or null. */
    @Nullable
    LocalMailbox find(Pid pid) {
        @Nullable LocalMailbox[] table = slots;
        LocalMailbox mailbox = table[pid.id() & (table.length - 1)];
        return mailbox != null && mailbox.pid().equals(pid) ? mailbox : null;
    }

    @Nullable
    LocalMailbox find(Atom name) {
        return names.get(name);
    }

    /**
     * Another address of a mailbox.
     *
     * @param mode what ends the alias before its mailbox
     */
    record Alias(LocalMailbox mailbox, AliasMode mode) {
        boolean endsWithReply() {
            return mode == AliasMode.REPLY || mode == AliasMode.REPLY_DEMONITOR;
        }

        boolean endsWithMonitor() {
            return mode == AliasMode.DEMONITOR || mode == AliasMode.REPLY_DEMONITOR;
        }
    }

    /** Returns the alias, and ends one that admits one message only; null where no mailbox has it. */
    @Nullable
    Alias take(Ref alias) {
        Alias found = aliases.get(alias);
        return found == null || !found.endsWithReply() || end(alias, found) ? found : null;
    }

    /** Ends an alias; returns false where another thread has. */
    private boolean end(Ref alias, Alias found) {
        boolean ended = aliases.remove(alias, found);
        if (ended) {
            found.mailbox().aliases().remove(alias);
        }
        return ended;
    }

    boolean isAlias(Ref reference) {
        return aliases.containsKey(reference);
    }

    /**
     * Returns whether a message is an answer to a call of a mailbox that waits for it no more. A peer with aliases sends answers to the
     * call's alias, which has ended; one without sends them to the pid, with the alias in the tag.
     */
    boolean isLateAnswer(LocalMailbox to, Object message) {
        Ref alias = message instanceof Tuple answer && answer.size() == 2 ? Router.aliasOf(answer.get(0)) : null;
        return alias != null && alias.node().equals(to.pid().node()) && !isAlias(alias);
    }

    /** Registers a mailbox under a name; returns false where another mailbox has the name. */
    boolean register(Atom name, LocalMailbox mailbox) {
        return names.putIfAbsent(name, mailbox) == null;
    }

    void unregister(Atom name, LocalMailbox mailbox) {
        names.remove(name, mailbox);
    }

    void alias(Ref alias, LocalMailbox mailbox, AliasMode mode) {
        mailbox.aliases().add(alias);
        aliases.put(alias, new Alias(mailbox, mode));
        if (find(mailbox.pid()) != mailbox) {
            aliases.remove(alias); // remove(LocalMailbox) may have been here before
            mailbox.aliases().remove(alias);
        }
    }

    /** Ends an alias of a mailbox; returns whether the mailbox had it. */
    boolean unalias(Ref alias, LocalMailbox mailbox) {
        Alias found = aliases.get(alias);
        return found != null && found.mailbox() == mailbox && end(alias, found);
    }

    /** Ends the alias that was made with a monitor, unless the alias outlives that. */
    void monitorEnded(Ref monitor) {
        Alias found = aliases.get(monitor);
        if (found != null && found.endsWithMonitor()) {
            boolean unused = end(monitor, found);
        }
    }

    /** Returns the open mailboxes, with each whose maker has been called. */
    synchronized List<LocalMailbox> all() {
        List<LocalMailbox> open = new ArrayList<>();
        for (LocalMailbox mailbox : slots) {
            if (mailbox != null) {
                open.add(mailbox);
            }
        }
        return open;
    }
}
