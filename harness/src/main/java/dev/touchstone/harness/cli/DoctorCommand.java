package dev.touchstone.harness.cli;

import dev.touchstone.cli.ExitCode;
import dev.touchstone.harness.env.Doctor;
import dev.touchstone.harness.env.DoctorReport;
import dev.touchstone.harness.env.Finding;
import dev.touchstone.harness.file.StrictJson;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code doctor}: examines the machine and tells what its properties mean for the figures. */
@Command(
        name = "doctor",
        description = "Examines this machine and the disk of the data folder, and tells what disturbs measurements.")
final class DoctorCommand implements Callable<Integer> {
    private final Invocation invocation;

    @Option(
            names = "--data",
            paramLabel = "<folder>",
            description = "Existing folder on the disk to examine. Default: the current folder.")
    private @Nullable Path data;

    @Option(names = "--json", description = "Print one JSON document on stdout instead of the table.")
    private boolean json;

    DoctorCommand(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public Integer call() throws Exception {
        try (DataFolder folder = DataFolder.open(data, invocation.shutdown())) {
            DoctorReport report = Doctor.examine(folder.path());
            invocation.console().out().print(json ? StrictJson.pretty(report) : table(report));
            invocation.console().out().flush();
            return ExitCode.OK;
        }
    }

    private static String table(DoctorReport report) {
        Columns columns = new Columns("", "what", "value", "meaning");
        for (Finding finding : report.findings()) {
            String severity = finding.severity().name().toLowerCase(Locale.ROOT);
            columns.row(severity, finding.name(), finding.value(), finding.meaning());
        }
        return columns.render();
    }
}
