package dev.touchstone.queue.migrate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.queue.DiskQueue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Behaviour of a migration that does not depend on the format of its source. */
@Timeout(60)
class MigrationTest {
    private static final int RECORDS = 2_500;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path temp;

    @SuppressWarnings("NullAway.Init")
    private Path source;

    @SuppressWarnings("NullAway.Init")
    private DiskQueue<byte[]> target;

    @BeforeEach
    void fill() throws IOException {
        source = Files.createDirectory(temp.resolve("source"));
        PopoutWriter queue = new PopoutWriter(source, "queue");
        List<byte[]> payloads = new ArrayList<>();
        for (int i = 0; i < RECORDS; i++) {
            payloads.add(new byte[] {(byte) i});
        }
        queue.append(PopoutWriter.batch(payloads, List.of()));
        target = Migrated.target(temp);
    }

    @AfterEach
    void close() {
        target.close();
    }

    @Test
    void run_manyRecords_allInOrder() throws IOException {
        MigrationResult result = Migration.run(source, Format.POPOUT_BATCHED, target);
        assertThat(result)
                .isEqualTo(new MigrationResult(
                        Format.POPOUT_BATCHED, PayloadLayout.PLAIN, RECORDS, RECORDS, 0, 0, 0, List.of()));
        for (int i = 0; i < RECORDS; i++) {
            assertThat(target.poll()).containsExactly(i);
        }
        assertThat(target.poll()).isNull();
    }

    @Test
    void into_reopened_everythingIsThere() throws IOException {
        Migration.from(source).into(target);
        target.close();
        target = Migrated.target(temp);
        assertThat(target).hasSize(RECORDS);
    }

    @Test
    void progress_hearsOfEachChunk() throws IOException {
        List<Long> heard = new ArrayList<>();
        Migration.from(source)
                .progress((records, bytes) -> {
                    assertThat(bytes).isEqualTo(records);
                    assertThat(target.longSize()).isEqualTo(records);
                    heard.add(records);
                })
                .into(target);
        assertThat(heard).containsExactly(1_000L, 2_000L);
    }

    @Test
    void into_targetNotEmpty_refusedUnlessAppending() throws IOException {
        target.add(new byte[] {7});
        assertThatThrownBy(() -> Migration.from(source).into(target))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("not empty: size=1");
        assertThat(target).hasSize(1);
        Migration.from(source).append().into(target);
        assertThat(target).hasSize(1 + RECORDS);
        assertThat(target.peek()).containsExactly(7);
    }

    @Test
    void into_again_copiesTheSameAgain() throws IOException {
        Migration migration = Migration.from(source).append();
        MigrationResult first = migration.into(target);
        assertThat(migration.into(target)).isEqualTo(first);
        assertThat(target).hasSize(2 * RECORDS);
    }

    @Test
    void format_ofTheOtherKind_refused() throws IOException {
        assertThatThrownBy(() -> Migration.run(source, Format.TAPE, target))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("is a folder, which TAPE is not");
        Path file = Files.createFile(temp.resolve("file"));
        assertThatThrownBy(() -> Migration.run(file, Format.POPOUT_SYNCED, target))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("is a file, which POPOUT_SYNCED is not");
        assertThatThrownBy(() -> Migration.run(temp.resolve("absent"), Format.AUTO, target))
                .isInstanceOf(NoSuchFileException.class);
        assertThatThrownBy(() -> Migration.run(file, Format.AUTO, target))
                .isInstanceOf(CorruptSourceException.class)
                .hasMessageContaining("tape header length");
    }

    @Test
    void maxRecordBytes_belowOne_refused() {
        assertThatThrownBy(() -> Migration.from(source).maxRecordBytes(0)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void skipped_manyPlaces_allCountedAndTheFirstKept() throws IOException {
        PopoutWriter many = new PopoutWriter(source, "many");
        for (int i = 0; i < 250; i++) {
            many.append(new byte[] {1, 2, 3});
        }
        MigrationResult result = Migration.from(source)
                .queueName("many")
                .format(Format.POPOUT_SYNCED)
                .skipDamaged()
                .into(target);
        assertThat(result.damagedPlaces()).isEqualTo(250);
        assertThat(result.skipped()).hasSize(100);
    }
}
