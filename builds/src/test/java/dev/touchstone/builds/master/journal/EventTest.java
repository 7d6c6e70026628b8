package dev.touchstone.builds.master.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import dev.touchstone.builds.BuildRequest;
import dev.touchstone.builds.OutputMode;
import dev.touchstone.builds.wire.LongArrayList;
import dev.touchstone.builds.wire.RequestMessage;
import dev.touchstone.builds.wire.WireException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Records of accepted requests, of today and as they were before requests were kept as messages. */
class EventTest {
    private static final String OLD_SEALED = ""
            + "g2gIdw9hY2NlcHRlZF9zZWFsZWRoAm0AAAAFYWxpY2VhA2IAAATSbAAAAAJoDm0AAAAcZ2l0K2h0dHBzOi8vaG9zdC9ncsO2w59l"
            + "LmdpdG0AAAAKZmVhdHVyZS/DqW0AAAAoMDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDEyMzQ1Njc4OW0AAAAIYnVpbGQu"
            + "c2htAAAABG5vZGVtAAAAA21hY2wAAAACaAJtAAAABE5BTUVtAAAAEXZhbHVlIHdpdGggc3BhY2VzaAJtAAAABVRPS0VObQAAAABq"
            + "bAAAAAFtAAAABVRPS0VOancFZmFsc2V3BHRydWVhAmIAABOIYgAGaKBhTWgObQAAAA1naXQrZmlsZTovLy9ybQAAAAJiMHcJdW5k"
            + "ZWZpbmVkbQAAAAFzbQAAAARiYXNobQAAAANhbnlqancEdHJ1ZXcEdHJ1ZWEBYgA27oBiBSZcAGJAAAAAamsAAwcICWsAAwECA2sA"
            + "AwABAGwAAAACbQAAAAMBAgNtAAAAAGo=";

    private static final String OLD_PLAIN = ""
            + "g2gHdwhhY2NlcHRlZGEEYWNsAAAAAWgObQAAAA1naXQrZmlsZTovLy9ybQAAAAJiMHcJdW5kZWZpbmVkbQAAAAFzbQAAAARiYXNo"
            + "bQAAAANhbnlqancEdHJ1ZXcEdHJ1ZWEBYgA27oBiBSZcAGJAAAAAamsAAQVrAAEGawABAA==";

    private static final BuildRequest BUILD = BuildRequest.of("git+https://host/größe.git", "feature/é", "build.sh")
            .commit("0123456789012345678901234567890123456789")
            .runner("node")
            .label("mac")
            .environment(Map.of("NAME", "value with spaces"))
            .secret("TOKEN", "")
            .output(OutputMode.FILES)
            .timeout(Duration.ofSeconds(5))
            .queueTimeout(Duration.ofMinutes(7))
            .maxLogBytes(77)
            .build();
    private static final BuildRequest NOOP =
            BuildRequest.of("git+file:///r", "b0", "s").noop(true).build();

    private static Event.Accepted old(String base64) {
        return (Event.Accepted)
                Event.decodeWhole(ByteBuffer.wrap(Base64.getDecoder().decode(base64)));
    }

    private static List<BuildRequest> requests(Event.Accepted accepted) {
        return accepted.requests().stream().map(RequestMessage::request).toList();
    }

    @Test
    void decode_recordsOfBefore_giveTheSameRequests() {
        Event.Accepted sealed = old(OLD_SEALED);
        assertThat(requests(sealed)).containsExactly(BUILD, NOOP);
        assertThat(sealed.submitter()).isEqualTo(new Submitter("alice", 3));
        assertThat(sealed.millis()).isEqualTo(1234);
        assertThat(sealed.jobs()).isEqualTo(LongArrayList.of(7, 8, 9));
        assertThat(sealed.numbers()).isEqualTo(LongArrayList.of(1, 2, 3));
        assertThat(sealed.which()).isEqualTo(LongArrayList.of(0, 1, 0));
        assertThat(sealed.sealed()).containsExactly(new byte[] {1, 2, 3}, new byte[0]);

        Event.Accepted plain = old(OLD_PLAIN);
        assertThat(requests(plain)).containsExactly(NOOP);
        assertThat(plain.isSealed()).isFalse();
    }

    @Test
    void encode_recordsOfBefore_writesThemAsTodays() {
        for (String record : List.of(OLD_SEALED, OLD_PLAIN)) {
            Event.Accepted before = old(record);
            Event.Accepted after = (Event.Accepted) Event.decode(ByteBuffer.wrap(before.encode()));
            assertThat(after.requests())
                    .extracting(RequestMessage::isNoop)
                    .isEqualTo(requests(before).stream().map(BuildRequest::noop).toList());
            assertThat(requests(after)).isEqualTo(requests(before));
            assertThat(after.jobs()).isEqualTo(before.jobs());
            assertThat(after.sealed()).usingRecursiveComparison().isEqualTo(before.sealed());
        }
    }

    @Test
    void decodeWhole_ofARequestThatIsNoMessage_isRefused() {
        Event.Accepted accepted = new Event.Accepted(
                new Submitter("", 1),
                2,
                List.of(RequestMessage.of(ByteString.copyFromUtf8("no message"))),
                LongArrayList.of(3),
                LongArrayList.of(4),
                LongArrayList.of(0));
        ByteBuffer record = ByteBuffer.wrap(accepted.encode());
        assertThat(Event.decode(record.duplicate())).isInstanceOf(Event.Accepted.class);
        assertThatThrownBy(() -> Event.decodeWhole(record.duplicate())).isInstanceOf(WireException.class);
    }
}
