package dev.touchstone.buildsupport;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.stream.XMLStreamException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/** Holds a module's javadoc to the rules for language; known numbers of offences stand in the root pom, in {@code <offences>}. */
class LanguageTest {
    private static final String PLACE = "<offences> of the root pom.xml";
    private static final String DOCLINT = "doclint";
    private static final Pattern LIMIT_NAME = Pattern.compile("\\b(MOST|LEAST)_[A-Z]");

    private final ModuleFiles module = new ModuleFiles();

    /** Takes the warnings of the Checkstyle run that the build has just done. */
    @Test
    @Tag("sweep")
    void checkstyle_warningsAreAsManyAsListed() throws IOException, XMLStreamException {
        List<Offence> offences = CheckstyleReport.warnings(module.checkstyleReport());
        Map<String, Integer> listed = listed();
        listed.remove(DOCLINT);
        List<String> report = reportOf(offences);
        report.add(module.name() + " javadocs " + javadocs());
        module.writeReport("checkstyle.txt", report);
        assertThat(Ratchet.compare(module.name(), count(offences), listed, PLACE))
                .isEmpty();
    }

    @Test
    @EnabledForJreRange(
            min = JRE.JAVA_25,
            disabledReason =
                    "doclint is counted on JDK 25: on 17 it asks compact constructors for the record's @param tags once more")
    void doclint_remarksAreAsManyAsListed() throws IOException {
        List<Offence> offences = Doclint.remarks(module.classes(), module.apiFiles());
        Map<String, Integer> listed = listed();
        listed.keySet().retainAll(List.of(DOCLINT));
        module.writeReport("doclint.txt", reportOf(offences));
        assertThat(Ratchet.compare(module.name(), count(offences), listed, PLACE))
                .isEmpty();
    }

    /** Checkstyle looks for such names in main code; this looks in the tests. */
    @Test
    @Tag("sweep")
    void tests_limitsAreNamedMaxAndMin() throws IOException {
        List<String> found = new ArrayList<>();
        for (Path file : module.testFiles()) {
            Matcher name = LIMIT_NAME.matcher(Files.readString(file));
            if (name.find()) {
                found.add(file + ": '" + name.group() + "...': a limit's name begins with MAX_ or MIN_");
            }
        }
        assertThat(found).isEmpty();
    }

    /** Returns the numbers that the root pom lists for the module, by rule. */
    private Map<String, Integer> listed() {
        Map<String, Integer> listed = new TreeMap<>();
        for (String line : ModuleFiles.property("touchstone.offences").lines().toList()) {
            String[] words = line.strip().split("[\\s:=]+", -1);
            for (int i = 1; i + 1 < words.length && words[0].equals(module.name()); i += 2) {
                listed.put(words[i], Integer.parseInt(words[i + 1]));
            }
        }
        return listed;
    }

    private static Map<String, Integer> count(List<Offence> offences) {
        Map<String, Integer> counts = new TreeMap<>();
        offences.forEach(offence -> counts.merge(offence.rule(), 1, Integer::sum));
        return counts;
    }

    /** Returns the numbers in the root pom's form, then a line for each offence. */
    private List<String> reportOf(List<Offence> offences) {
        List<String> lines = new ArrayList<>();
        count(offences).forEach((rule, number) -> lines.add(module.name() + ": " + rule + "=" + number));
        offences.forEach(offence -> lines.add(offence.toString()));
        return lines;
    }

    private long javadocs() throws IOException {
        long javadocs = 0;
        for (Path file : module.sourceFiles()) {
            try (var lines = Files.lines(file)) {
                javadocs += lines.filter(line -> line.strip().startsWith("/**")).count();
            }
        }
        return javadocs;
    }
}
