#pragma once

#include <string>

namespace salvo::formats {

// A model around what a test puts into it.
inline std::string sbml_text(const std::string& content, const std::string& level = "3",
                             const std::string& version = "2", const std::string& attributes = "") {
  const std::string address =
      level == "3" ? "level3/version" + version + "/core" : "level" + level + "/version" + version;
  return R"(<?xml version="1.0" encoding="UTF-8"?>
<sbml xmlns="http://www.sbml.org/sbml/)" +
         address + R"(" level=")" + level + R"(" version=")" + version + R"(" )" + attributes + R"(>
<model id="m">)" +
         content + "</model></sbml>\n";
}

inline std::string math(const std::string& content) {
  return R"(<math xmlns="http://www.w3.org/1998/Math/MathML">)" + content + "</math>";
}

inline std::string compartment(const std::string& id, const std::string& size, bool constant = true) {
  return R"(<compartment id=")" + id + R"(" spatialDimensions="3" size=")" + size + R"(" constant=")" +
         (constant ? "true" : "false") + R"("/>)";
}

// `start` is initialAmount="1" or initialConcentration="1".
inline std::string species(const std::string& id, const std::string& start, const std::string& in = "c",
                           bool only_substance = false, bool boundary = false) {
  return R"(<species id=")" + id + R"(" compartment=")" + in + "\" " + start + R"( hasOnlySubstanceUnits=")" +
         (only_substance ? "true" : "false") + R"(" boundaryCondition=")" + (boundary ? "true" : "false") +
         R"(" constant="false"/>)";
}

inline std::string parameter(const std::string& id, const std::string& value, bool constant = true) {
  return R"(<parameter id=")" + id + R"(" value=")" + value + R"(" constant=")" + (constant ? "true" : "false") +
         R"("/>)";
}

// A turns into B with rate k A times the size of c; `law` replaces that.
inline std::string conversion(const std::string& law = "<apply><times/><ci>c</ci><ci>k</ci><ci>A</ci></apply>") {
  return R"(<listOfReactions><reaction id="r" reversible="false">
<listOfReactants><speciesReference species="A" stoichiometry="1" constant="true"/></listOfReactants>
<listOfProducts><speciesReference species="B" stoichiometry="2" constant="true"/></listOfProducts>
<kineticLaw>)" +
         math(law) + "</kineticLaw></reaction></listOfReactions>";
}

// Compartment c of size 2, A and B in it as concentrations, k = 0.5.
inline std::string conversion_model() {
  return sbml_text("<listOfCompartments>" + compartment("c", "2") + "</listOfCompartments><listOfSpecies>" +
                   species("A", R"(initialConcentration="3")") + species("B", R"(initialAmount="5")") +
                   "</listOfSpecies><listOfParameters>" + parameter("k", "0.5") + "</listOfParameters>" + conversion());
}

inline std::string rule(const std::string& kind, const std::string& variable, const std::string& formula) {
  return "<" + kind + " variable=\"" + variable + "\">" + math(formula) + "</" + kind + ">";
}

// x rises from 1 at rate 1; so many events, at 2, 3, ..., set it back, the later the higher their priority.
inline std::string model_with_priorities(int count) {
  std::string events;
  for (int i = 0; i < count; ++i)
    events += "<event useValuesFromTriggerTime=\"true\"><trigger initialValue=\"true\" persistent=\"true\">" +
              math("<apply><gt/><ci>x</ci><cn>" + std::to_string(2 + i) + "</cn></apply>") + "</trigger><priority>" +
              math("<apply><times/><ci>k</ci><cn>" + std::to_string(i) + "</cn></apply>") +
              "</priority><listOfEventAssignments><eventAssignment variable=\"x\">" + math("<cn>1</cn>") +
              "</eventAssignment></listOfEventAssignments></event>";
  return sbml_text("<listOfParameters>" + parameter("x", "1", false) + parameter("k", "2") +
                   "</listOfParameters><listOfRules>" + rule("rateRule", "x", "<cn>1</cn>") +
                   "</listOfRules><listOfEvents>" + events + "</listOfEvents>");
}

}  // namespace salvo::formats
