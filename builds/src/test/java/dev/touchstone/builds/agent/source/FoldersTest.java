package dev.touchstone.builds.agent.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests of folders that scripts have had in their hands. */
@Timeout(120)
class FoldersTest {
    private static final int MANY = 5_000; // several times what the kernel tells at once

    @TempDir
    Path tmp;

    private Path many() throws IOException {
        Path folder = Files.createDirectory(tmp.resolve("many"));
        for (int i = 0; i < MANY; i++) {
            Files.createFile(folder.resolve("an-entry-with-a-long-name-" + i));
        }
        return folder;
    }

    @Test
    void forEach_doesNotReadTheWholeFolderBefore() throws IOException {
        Path folder = many();
        Folders folders = new Folders(Map.of());
        AtomicInteger told = new AtomicInteger();
        Folders.forEach(folder, entry -> {
            if (told.getAndIncrement() == 0) {
                folders.delete(folder); // what was not read yet is not told
            }
        });
        assertThat(told).hasValueLessThan(MANY);
    }

    @Test
    void delete_folderOfManyEntries_removesAll() throws IOException {
        Path folder = many();
        new Folders(Map.of()).delete(folder);
        assertThat(folder).doesNotExist();
    }
}
