package dev.touchstone.queue.replicated.member;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.alipay.sofa.jraft.entity.PeerId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CommitNoticeTest {
    private static final PeerId LEADER = new PeerId("127.0.0.1", 7001);

    @Test
    void parse_ofText_isTheSame() {
        CommitNotice notice = new CommitNotice(LEADER, 7, Long.MAX_VALUE);
        assertThat(CommitNotice.parse(notice.text())).isEqualTo(notice);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "127.0.0.1:7001",
                "127.0.0.1:7001 1",
                "127.0.0.1:7001 1 2 3",
                "127.0.0.1:7001 0 2",
                "127.0.0.1:7001 1 -2",
                "127.0.0.1:7001 1 9223372036854775808",
                "nowhere 1 2"
            })
    void parse_otherText_isRefused(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> CommitNotice.parse(text));
    }

    @Test
    void isAfter_termComesBeforeIndex() {
        CommitNotice notice = new CommitNotice(LEADER, 7, 100);
        assertThat(notice.isAfter(new CommitNotice(LEADER, 6, 200))).isTrue();
        assertThat(notice.isAfter(new CommitNotice(LEADER, 7, 99))).isTrue();
        assertThat(notice.isAfter(notice)).isFalse();
        assertThat(notice.isAfter(new CommitNotice(LEADER, 8, 1))).isFalse();
    }
}
