package dev.touchstone.serialization.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hazelcast.internal.serialization.InternalSerializationService;
import com.hazelcast.internal.serialization.impl.DefaultSerializationServiceBuilder;
import com.hazelcast.internal.serialization.impl.HeapData;
import com.hazelcast.nio.serialization.HazelcastSerializationException;
import java.util.HexFormat;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a client sends to members: the same bytes for ever, and found by Hazelcast without being told. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class WireTest {
    /** No partition hash; an object with a factory; that it has one; our factory. */
    private static final String HEAD = "00000000" + "fffffffe" + "01" + "746f7563";

    private final InternalSerializationService service = new DefaultSerializationServiceBuilder().build();

    @AfterEach
    void end() {
        service.dispose();
    }

    private static FieldPredicate<Object, Object> predicate(String condition) {
        return switch (condition) {
            case "text" -> FieldPredicate.equal("f", "\u00e4");
            case "texts" -> FieldPredicate.between("f", "a", "b");
            case "whole" -> FieldPredicate.between("f", -1, 2);
            case "real" -> FieldPredicate.between("f", 1.0, 2.0);
            case "flag" -> FieldPredicate.equal("f", true);
            default -> throw new IllegalArgumentException(condition);
        };
    }

    @ParameterizedTest
    @CsvSource({
        "text, 01 00000002c3a4",
        "texts, 02 0000000161 0000000162",
        "whole, 03 ffffffffffffffff 0000000000000002",
        "real, 04 3ff0000000000000 4000000000000000",
        "flag, 05 01",
    })
    void predicate_onTheWire_isPinned(String condition, String bytes) {
        FieldPredicate<Object, Object> predicate = predicate(condition);
        byte[] written = service.toData(predicate).toByteArray();
        assertThat(HexFormat.of().formatHex(written))
                .isEqualTo(HEAD + "00000001" + "0000000166" + bytes.replace(" ", ""));
        FieldPredicate<Object, Object> read = service.toObject(new HeapData(written));
        assertThat(read).isEqualTo(predicate).hasSameHashCodeAs(predicate).hasToString(predicate.toString());
    }

    @Test
    void projection_onTheWire_isPinned() {
        byte[] written = service.toData(new ValueBytes<>()).toByteArray();
        assertThat(HexFormat.of().formatHex(written)).isEqualTo(HEAD + "00000002");
        assertThat(service.<Object>toObject(new HeapData(written))).isInstanceOf(ValueBytes.class);
    }

    @ParameterizedTest
    @CsvSource({"00000001 0000000166 09", "00000001 0000000166 01 ffffffff", "00000001 ffffffff 05 01", "00000003"})
    void damagedBytes_areRefused(String bytes) {
        byte[] damaged = HexFormat.of().parseHex(HEAD + bytes.replace(" ", ""));
        assertThatThrownBy(() -> service.toObject(new HeapData(damaged)))
                .isInstanceOf(HazelcastSerializationException.class);
    }
}
