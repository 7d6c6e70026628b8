package dev.touchstone.harness.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SeedFiguresTest {
    private static final List<String> ALL =
            List.of("queue-popout", "messaging-encon", "serialization-compact", "index-bitmap-usage", "builds-paprika");
    private static final String VALID = """
            {"schema": 1, "source": "s", "conditions": "c", "tables": [
              {"id": "t", "title": "T", "unit": "ops/s", "better": "higher", "rows": [
                {"id": "a/b", "subject": "x", "params": {}, "score": 2}]}]}
            """;

    @ParameterizedTest
    @CsvSource({
        "queue-popout, 6, 42",
        "messaging-encon, 2, 10",
        "serialization-compact, 12, 48",
        "index-bitmap-usage, 9, 66",
        "builds-paprika, 11, 60"
    })
    void load_originDocument_hasEveryFigure(String file, int tables, long rows) throws IOException {
        SeedDocument document = Objects.requireNonNull(
                SeedFigures.load(List.of(file), Fixtures::seedFile).documents().get(file));
        assertThat(document.tables()).hasSize(tables);
        assertThat(document.tables().stream()
                        .mapToLong(table -> table.rows().size())
                        .sum())
                .isEqualTo(rows);
    }

    @Test
    void find_everyRow_isFoundByItsReference() throws IOException {
        SeedFigures figures = SeedFigures.load(ALL, Fixtures::seedFile);
        assertThat(figures.missing()).isEmpty();
        figures.documents()
                .forEach((file, document) -> document.tables()
                        .forEach(table -> table.rows()
                                .forEach(row -> assertThat(figures.find(file + "#" + table.id() + "/" + row.id())
                                                .orElseThrow()
                                                .row())
                                        .isSameAs(row))));
    }

    @ParameterizedTest
    @CsvSource({
        "queue-popout#write-ssd/batched/t1, 483900.09", "queue-popout#write-hdd/tape/t8, 628.569",
        "queue-popout#scan-hdd/synced, 115.348", "queue-popout#mixed-ssd/batched/total, 429808.465",
        "queue-popout#mixed-hdd/tape/write, 592.598", "messaging-encon#echo/jinterface/c8, 25457.217",
        "messaging-encon#mailbox/encon, 2906135.871",
                "serialization-compact#read-large-memory-per-entry/PORTABLE, 1166",
        "index-bitmap-usage#http-c20-latency/p99/map, 10087000", "builds-paprika#files-t4/run5, 141744087",
        "builds-paprika#median/noop/t1, 117672"
    })
    void find_spotChecks_asTheDocumentsSay(String reference, double score) throws IOException {
        assertThat(SeedFigures.load(ALL, Fixtures::seedFile)
                        .find(reference)
                        .orElseThrow()
                        .row()
                        .score())
                .isEqualTo(score);
    }

    @Test
    void find_notMeasured_saysWhy() throws IOException {
        SeedDocument.Row tape = Fixtures.seeds()
                .find("queue-popout#scan-ssd/tape")
                .orElseThrow()
                .row();
        assertThat(tape.score()).isNull();
        assertThat(tape.note()).contains("30 minutes");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"queue-popout#write-ssd/none", "queue-popout#none/synced/t8", "none#write-ssd/synced/t8", "", "#"
            })
    void find_unknownReference_isEmpty(String reference) throws IOException {
        assertThat(Fixtures.seeds().find(reference)).isEmpty();
    }

    @Test
    void load_absentFile_isMissing() throws IOException {
        SeedFigures figures = SeedFigures.load(
                List.of("absent"), SeedFigures.onClassPath(getClass().getClassLoader()));
        assertThat(figures.missing()).containsExactly("absent");
    }

    @Test
    void load_smallestValidFile_isRead() throws IOException {
        assertThat(load(VALID).find("x#t/a/b").orElseThrow().row().params()).isEqualTo(new TreeMap<>());
    }

    @Test
    void load_corruptFile_namesFileAndPlace() {
        Stream.of(
                        VALID.replace("\"score\": 2", "\"score\": -2"),
                        VALID.replace("\"score\": 2", "\"score\": \"2\""),
                        VALID.replace(", \"score\": 2", ""),
                        VALID.replace("\"schema\": 1", "\"schema\": 2"),
                        VALID.replace("higher", "sideways"),
                        VALID.replace("\"id\": \"t\"", "\"id\": \"t/u\""),
                        VALID.replace("\"unit\": \"ops/s\",", ""),
                        VALID.replace("\"params\": {}", "\"params\": {}, \"more\": 1"),
                        VALID.substring(0, 60),
                        VALID + "x",
                        "[".repeat(10_000),
                        "null",
                        "")
                .forEach(json -> assertThatThrownBy(() -> load(json))
                        .as(json.substring(0, Math.min(200, json.length())))
                        .isInstanceOf(SeedFormatException.class)
                        .hasMessageStartingWith("x.json"));
    }

    @Test
    void load_idTwice_isRefused() {
        String row = "{\"id\": \"a/b\", \"subject\": \"x\", \"params\": {}, \"score\": 2}";
        assertThatThrownBy(() -> load(VALID.replace(row, row + ", " + row))).hasMessage("x.json#t/a/b: id used twice");
    }

    @Test
    void load_hugeFile_isRefusedUnread() {
        assertThatThrownBy(() -> load(" ".repeat(2_000_000))).hasMessage("x.json: size exceeds max=1048576");
    }

    @Test
    void load_unreadableFile_namesIt() {
        assertThatThrownBy(() -> SeedFigures.load(List.of("x"), file -> {
                    throw new IOException("device error");
                }))
                .isInstanceOf(SeedFormatException.class)
                .hasMessage("x.json: can't be read: device error");
    }

    private static SeedFigures load(String json) throws SeedFormatException {
        return SeedFigures.load(List.of("x"), file -> new ByteArrayInputStream(json.getBytes(StandardCharsets.UTF_8)));
    }
}
