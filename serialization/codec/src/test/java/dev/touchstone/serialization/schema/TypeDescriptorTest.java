package dev.touchstone.serialization.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.serialization.exception.CompactLockException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Descriptors in files, as a compilation leaves them, and the check of them that a program's own tests make. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class TypeDescriptorTest {
    private static final Schema TOWN =
            Schema.builder("town").field("name", FieldKind.STRING).build();
    private static final Schema TOWN_WITH_PEOPLE = Schema.builder("town")
            .field("name", FieldKind.STRING)
            .field("people", FieldKind.INT32)
            .build();
    private static final Schema ROAD =
            Schema.builder("road").field("km", FieldKind.INT32).build();

    @TempDir
    Path folder;

    private static TypeDescriptor of(Schema schema) {
        return new TypeDescriptor(schema, "p." + schema.typeName(), new TreeMap<>());
    }

    private Path write(String name, byte[] bytes) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.write(file, bytes);
    }

    private Path write(String name, TypeDescriptor descriptor) throws IOException {
        return write(name, descriptor.text().getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void readAll_takesFoldersBelowAndLeavesOtherFiles() throws IOException {
        write("p.Town.schema", of(TOWN));
        write("below/p.Road.schema", SchemaFormat.encode(ROAD));
        write("p.Town.txt", "no descriptor".getBytes(StandardCharsets.UTF_8));
        assertThat(TypeDescriptor.readAll(folder)).containsExactly(TypeDescriptor.ofSchema(ROAD), of(TOWN));
    }

    @Test
    void readAll_ofNoFolderOrAnEmptyOne_differs() throws IOException {
        assertThat(TypeDescriptor.readAll(folder)).isEmpty();
        assertThatThrownBy(() -> TypeDescriptor.readAll(folder.resolve("none")))
                .isInstanceOf(NoSuchFileException.class)
                .hasMessageContaining("none");
    }

    @Test
    void read_ofWhatIsNoDescriptor_namesTheFile() throws IOException {
        write("p.Town.schema", of(TOWN));
        byte[] text = of(TOWN).text().getBytes(StandardCharsets.UTF_8);
        byte[] invalid = text.clone();
        invalid[invalid.length - 4] = (byte) 0xff;
        for (byte[] bytes :
                List.of(new byte[0], new byte[] {1, 2, 3}, invalid, "# text".getBytes(StandardCharsets.UTF_8))) {
            Path file = write("q.Damaged.schema", bytes);
            assertThatThrownBy(() -> TypeDescriptor.read(file))
                    .isInstanceOf(CompactLockException.class)
                    .hasMessageContaining("file=" + file);
            assertThatThrownBy(() -> TypeDescriptor.readAll(folder))
                    .isInstanceOf(CompactLockException.class)
                    .hasMessageContaining("file=" + file);
        }
    }

    /** The sources stay as they are, so that nothing is compiled; another branch has changed the lock. */
    @Test
    void check_ofCompiledTypesAgainstAChangedLock_saysWhatIsNotAccepted() throws IOException {
        Path file = folder.resolve(SchemaLock.FILE_NAME);
        write("p.Town.schema", of(TOWN));
        List<TypeDescriptor> compiled = TypeDescriptor.readAll(folder);
        SchemaLock.empty(Compatibility.FULL).accept(compiled).write(file);
        assertThat(SchemaLock.read(file).check(compiled).isAccepted()).isTrue();

        SchemaLock.empty(Compatibility.FULL)
                .accept(List.of(of(TOWN_WITH_PEOPLE), of(ROAD)))
                .write(file);
        LockReport report = SchemaLock.read(file).check(compiled);
        assertThat(report.isAccepted()).isFalse();
        assertThat(report.violations())
                .extracting(Violation::rule)
                .containsExactlyInAnyOrder(EvolutionRule.FIELD_REMOVED, EvolutionRule.TYPE_REMOVED);
    }

    @Test
    void read_ofALockThatIsNone_namesTheFile() throws IOException {
        Path file = Files.writeString(folder.resolve(SchemaLock.FILE_NAME), "<<<<<<< HEAD\n");
        assertThatThrownBy(() -> SchemaLock.read(file))
                .isInstanceOf(CompactLockException.class)
                .hasMessageContaining("file=" + file)
                .hasMessageContaining("line=1");
    }
}
