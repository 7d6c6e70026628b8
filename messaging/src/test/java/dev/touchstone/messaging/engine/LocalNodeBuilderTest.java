package dev.touchstone.messaging.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.messaging.Node;
import dev.touchstone.messaging.NodeBuilder;
import dev.touchstone.messaging.identity.NodeName;
import org.junit.jupiter.api.Test;

/** The name that a builder is given, at first and later. */
class LocalNodeBuilderTest {
    @Test
    void name_ofABuilderThatHasOne_changesTheCopyOnly() throws Exception {
        try (Nodes nodes = new Nodes()) {
            NodeBuilder builder = nodes.builder("one");
            Node two = nodes.start(builder.name("two@localhost"));
            Node one = nodes.start(builder);
            assertThat(one.name()).isEqualTo(NodeName.parse("one@localhost"));
            two.connect(one.name());
            assertThat(two.connected()).containsExactly(one.name());
        }
    }

    @Test
    void name_thatNoNodeMayHave_isRefusedAtOnce() {
        assertThatThrownBy(() -> Node.builder("nowhere"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("nowhere");
    }

    @Test
    void start_withoutAName_tellsWhatIsMissing() {
        assertThatThrownBy(() -> new LocalNodeBuilder().start())
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("node has no name: expected a call of name(String) before start()");
    }
}
