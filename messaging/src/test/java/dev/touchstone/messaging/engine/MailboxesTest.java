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
}
