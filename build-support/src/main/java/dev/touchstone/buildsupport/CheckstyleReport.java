package dev.touchstone.buildsupport;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/** The file that Checkstyle's plugin writes before the tests run. */
final class CheckstyleReport {
    private CheckstyleReport() {}

    /** Returns the warnings. What is an error has ended the build before. */
    static List<Offence> warnings(Path report) throws IOException, XMLStreamException {
        if (Files.notExists(report)) {
            throw new IOException(report + " is missing: run ./mvnw test without -Dcheckstyle.skip");
        }
        List<Offence> warnings = new ArrayList<>();
        try (InputStream bytes = Files.newInputStream(report)) {
            XMLStreamReader xml = XMLInputFactory.newDefaultFactory().createXMLStreamReader(bytes);
            String file = "";
            while (xml.hasNext()) {
                if (xml.next() != XMLStreamReader.START_ELEMENT) {
                    continue;
                }
                if (xml.getLocalName().equals("file")) {
                    file = xml.getAttributeValue(null, "name");
                } else if ("warning".equals(xml.getAttributeValue(null, "severity"))) {
                    warnings.add(warning(file, xml));
                }
            }
        }
        return warnings;
    }

    private static Offence warning(String file, XMLStreamReader xml) {
        String rule =
                xml.getAttributeValue(null, "source").replaceFirst(".*\\.", "").replaceFirst("Check$", "");
        return new Offence(
                rule,
                file,
                Long.parseLong(xml.getAttributeValue(null, "line")),
                xml.getAttributeValue(null, "message"));
    }
}
