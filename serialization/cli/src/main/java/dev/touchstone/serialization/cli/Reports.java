package dev.touchstone.serialization.cli;

import dev.touchstone.cli.ExitCode;
import dev.touchstone.serialization.schema.Compatibility;
import dev.touchstone.serialization.schema.EvolutionRule;
import dev.touchstone.serialization.schema.LockChange;
import dev.touchstone.serialization.schema.LockReport;
import dev.touchstone.serialization.schema.Violation;
import java.io.PrintWriter;
import java.util.EnumSet;
import java.util.Set;

/** Reports as tables. */
final class Reports {
    private Reports() {}

    static int exitCode(LockReport report) {
        if (!report.isCompatible()) {
            return CompactExitCode.INCOMPATIBLE;
        }
        return report.isAccepted() ? ExitCode.OK : CompactExitCode.NOT_ACCEPTED;
    }

    static void printViolations(PrintWriter out, LockReport report) {
        if (!report.isCompatible()) {
            Table table = new Table("RULE", "TYPE", "FIELD", "OLD", "NEW", "DETAIL");
            for (Violation each : report.violations()) {
                table.row(
                        each.rule().name(),
                        Texts.name(each.typeName()),
                        each.fieldName().isEmpty() ? "-" : Texts.name(each.fieldName()),
                        Texts.kind(each.oldKind()),
                        Texts.kind(each.newKind()),
                        Texts.detail(each.detail()));
            }
            out.print(table);
        }
    }

    static void printChanges(PrintWriter out, LockReport report) {
        if (!report.isAccepted()) {
            Table table = new Table("CHANGE", "TYPE", "SCHEMA");
            for (LockChange each : report.changes()) {
                table.row(
                        each.kind().name(),
                        Texts.name(each.schema().typeName()),
                        Texts.id(each.schema().id()));
            }
            out.print(table);
        }
    }

    /** The rules that are broken, with what goes wrong, and one line for all. */
    static void printVerdict(PrintWriter out, LockReport report, Compatibility compatibility) {
        Set<EvolutionRule> broken = EnumSet.noneOf(EvolutionRule.class);
        report.violations().forEach(each -> broken.add(each.rule()));
        broken.forEach(rule -> out.println(rule + ": " + rule.reason()));
        out.println((broken.isEmpty() ? "compatible" : "not compatible") + ": " + compatibility);
    }
}
