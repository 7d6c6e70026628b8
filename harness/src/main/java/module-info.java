/** Runs, statistics and reports for any JMH project, as a command line that such a project adds checks and sub-commands to. */
module dev.touchstone.harness {
    requires static com.google.errorprone.annotations;
    requires static org.jspecify;
    requires com.fasterxml.jackson.databind;
    requires transitive dev.touchstone.cli;
    requires HdrHistogram;
    requires info.picocli;
    requires jmh.core;
    requires org.objectweb.asm;

    exports dev.touchstone.harness;
    exports dev.touchstone.harness.file;
    exports dev.touchstone.harness.run;
    exports dev.touchstone.harness.run.check;

    opens dev.touchstone.harness.cli to
            com.fasterxml.jackson.databind,
            info.picocli;
    opens dev.touchstone.harness.env to
            com.fasterxml.jackson.databind;
    opens dev.touchstone.harness.report to
            com.fasterxml.jackson.databind;
    opens dev.touchstone.harness.run to
            com.fasterxml.jackson.databind;
    opens dev.touchstone.harness.run.check to
            com.fasterxml.jackson.databind;
    opens dev.touchstone.harness.stats to
            com.fasterxml.jackson.databind;
    opens dev.touchstone.harness.store to
            com.fasterxml.jackson.databind;

    uses dev.touchstone.harness.SubCommand;
    uses dev.touchstone.harness.run.check.CheckRule;
}
