package dev.touchstone.messaging.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.messaging.AliasMode;
import dev.touchstone.messaging.term.Ref;
import org.junit.jupiter.api.Test;

/** The table of a node's mailboxes. */
class MailboxesTest {
    /** The moment between the two steps of closing: the mailbox is no longer found, and not yet marked closed. */
    @Test
    void alias_ofAMailboxThatIsBeingClosed_isNotKept() throws Exception {
        try (Nodes nodes = new Nodes()) {
            LocalNode node = nodes.start("node");
            LocalMailbox closing = node.mailbox();
            node.mailboxes().remove(closing);
            Ref alias = node.newRef();
            node.mailboxes().alias(alias, closing, AliasMode.EXPLICIT_UNALIAS);
            assertThat(closing.isClosed()).isFalse();
            assertThat(node.mailboxes().take(alias)).isNull();
        }
    }

    /** Closing a mailbox looks at the aliases of that mailbox only, so each mailbox knows its own. */
    @Test
    void aliases_ofAMailbox_areThoseThatHaveNotEnded() throws Exception {
        try (Nodes nodes = new Nodes()) {
            LocalNode node = nodes.start("node");
            Mailboxes mailboxes = node.mailboxes();
            LocalMailbox box = node.mailbox();
            LocalMailbox other = node.mailbox();
            Ref kept = box.alias(AliasMode.EXPLICIT_UNALIAS);
            Ref others = other.alias(AliasMode.EXPLICIT_UNALIAS);
            Ref reply = box.alias(AliasMode.REPLY);
            Ref ended = box.alias(AliasMode.EXPLICIT_UNALIAS);
            Ref monitor = box.monitor(other.pid(), AliasMode.DEMONITOR);
            assertThat(box.aliases()).containsExactlyInAnyOrder(kept, reply, ended, monitor);
            assertThat(mailboxes.take(reply)).isNotNull();
            assertThat(mailboxes.take(kept)).isNotNull();
            assertThat(other.unalias(ended)).isFalse();
            assertThat(box.unalias(ended)).isTrue();
            box.demonitor(monitor);
            assertThat(box.aliases()).containsExactly(kept);
            box.close();
            assertThat(mailboxes.take(kept)).isNull();
            assertThat(mailboxes.take(others)).isNotNull();
        }
    }
}
