package dev.touchstone.serialization.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FieldMeaningTest {
    @ParameterizedTest
    @CsvSource({
        "BOOLEAN,'',true,true",
        "NULLABLE_INT8,'',-128,-128",
        "INT16,'',+7,7",
        "INT16,char,A,65",
        "NULLABLE_INT16,char,\uffff,-1",
        "INT64,'',9007199254740993,9007199254740993",
        "FLOAT32,'',1.5f,1.5",
        "FLOAT64,'',NaN,NaN",
        "STRING,'',a b,a b",
        "STRING,enum,CALM,CALM",
        "STRING,uuid,1-1-1-1-1,00000001-0001-0001-0001-000000000001",
        "STRING,duration,pt60s,PT1M",
        "DECIMAL,'',1.10,1.10",
        "TIME,'',10:15,10:15",
        "DATE,'',2026-02-28,2026-02-28",
        "TIMESTAMP,'',2026-02-28T10:15,2026-02-28T10:15",
        "TIMESTAMP_WITH_TIMEZONE,'',2026-02-28T10:15:30Z,2026-02-28T10:15:30Z",
    })
    void missingValue_ofAKind_isParsed(FieldKind kind, String format, String text, String expected) {
        FieldMeaning meaning = FieldMeaning.format(format).withMissing(text);
        assertThat(meaning.missingValue(kind))
                .hasValueSatisfying(value -> assertThat(value.toString()).isEqualTo(expected));
    }

    @Test
    void missingValue_ofAUuidInTwoNumbers_isItsHalves() {
        FieldMeaning meaning = FieldMeaning.format("uuid").withMissing(new UUID(1, -2).toString());
        assertThat(meaning.missingValue(FieldKind.ARRAY_OF_INT64)).contains(new long[] {1, -2});
    }

    @ParameterizedTest
    @CsvSource({
        "BOOLEAN,'',yes",
        "INT8,'',128",
        "INT32,'',1.0",
        "INT16,char,ab",
        "DECIMAL,'',x",
        "DATE,'',2026-02-30",
        "STRING,uuid,x",
        "ARRAY_OF_INT64,'',1",
        "COMPACT,'',x",
        "ARRAY_OF_STRING,enum,A"
    })
    void missingValue_ofATextThatIsNone_isRefused(FieldKind kind, String format, String text) {
        FieldMeaning meaning = FieldMeaning.format(format).withMissing(text);
        assertThatIllegalArgumentException().isThrownBy(() -> meaning.missingValue(kind));
        assertThat(FieldMeaning.format(format).missingValue(kind)).isEmpty();
    }
}
