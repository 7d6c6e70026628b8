package dev.touchstone.harness.env;

import java.nio.file.Path;

/** Examines the machine before a run. */
public final class Doctor {
    private Doctor() {}

    /**
     * Examines this machine and the file system below the folder; takes up to 3 s on a slow disk.
     *
     * @throws DataFolderException when the folder is missing, no folder, read-only, full or failing
     */
    public static DoctorReport examine(Path dataFolder) throws DataFolderException {
        return DoctorReport.of(EnvironmentProbe.capture(dataFolder));
    }
}
